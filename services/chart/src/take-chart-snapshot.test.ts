import type { ChartKey } from '@shelfwise/facts/stores/chart-key';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { ChartSnapshot } from './domain/chart-snapshot.ts';
import { createTakeChartSnapshot } from './take-chart-snapshot.ts';

const now = () => new Date('2026-03-10T12:00:00Z');
const key: ChartKey = { store: 'ITUNES', country: 'US', category: 'OVERALL', collection: 'free' };
const chart = { day: '2026-03-10', source: 'app-store', app_ids: [], rows: [] } as unknown as ChartSnapshot;

test('who looked before the read of another caller ended, and asks after it, does not read again', async () => {
  let stored: ChartSnapshot | null = null;
  let reads = 0;
  let endSlowLook: (found: null) => void = () => {};
  const slowLook = new Promise<null>((resolve) => {
    endSlowLook = resolve;
  });
  const looks = [Promise.resolve(null), slowLook];
  const { takeForCaller } = createTakeChartSnapshot({
    charts: {
      findLastRequestedAt: async () => null,
      recordRequest: async () => undefined,
      recordRead: async () => undefined,
    } as never,
    snapshots: {
      find: () => looks.shift() ?? Promise.resolve(stored),
      findAppIds: async () => null,
      saveFirst: async (_id: string, [first]: ChartSnapshot[]) => {
        stored = first ?? null;
        return [first];
      },
    } as never,
    readChart: async () => {
      reads++;
      return chart;
    },
    wake: null,
    now,
  });
  const { signal } = new AbortController();
  const call = { requestId: 'a', callerId: 'ann', deadline: new Date(8e15), signal } as CallContext;
  const first = takeForCaller(key, call);
  const late = takeForCaller(key, call);
  expect(await first).toBe(chart);
  endSlowLook(null);
  expect(await late).toBe(chart);
  expect(reads).toBe(1);
});
