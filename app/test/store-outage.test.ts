import { startFakeStore } from '../../services/store-fetch/test/fake-store/start-fake-store.ts';
import { callWithin } from '../../testing/call-within.ts';
import { createApi } from '../../testing/system/api.ts';
import { createSink } from '../../testing/system/run-command-here.ts';
import { startSampleSystem } from '../../testing/system/start-sample-system.ts';
import { monotonicMs } from '../../testing/system-clock.ts';
import { until } from '../../testing/until.ts';
import { live, storefront } from './use-systems.ts';

jest.setTimeout(180_000);

const firstMoment = Date.parse('2026-06-01T09:30:00Z');
const minuteMs = 60_000;
const keywords = ['notes', 'photo', 'habit', 'budget', 'recipe'];

test('a store that is away for a day is one store_blocked and one store_recovered, and no alert of ranks', async () => {
  const store = await startFakeStore();
  const startedMs = monotonicMs();
  let passedMs = 0;
  const { system, stop } = await startSampleSystem('outage', {
    now: () => new Date(firstMoment + passedMs + monotonicMs() - startedMs),
    destination: createSink(() => {}),
    settings: { ...live(store.url), DAILY_RUN: 'true' },
  });
  const pass = (minutes: number) => {
    passedMs += minutes * minuteMs;
  };
  try {
    const { key } = await system.accounts.create({ email: 'outage@example.com', plan: 'unlimited' });
    const call = createApi(system.url, key);
    const { body } = await call('POST', '/applications', { app_id: '700000001', ...storefront });
    const appId = body.data.id;
    const added = await call('POST', '/keywords', { app_id: appId, keywords, ...storefront });
    expect(added.body.data.success_count).toBe(keywords.length);
    expect((await call('POST', '/alerts/rules', { kind: 'store_recovered' })).status).toBe(200);
    for (const kind of ['rank_rise', 'entered_top'])
      expect((await call('POST', '/alerts/rules', { kind })).status).toBe(200);
    const readAll = async () => {
      await system.clients.tracking.startSnapshotRun({ all_of_today: true }, callWithin());
    };
    const told = async (): Promise<string[]> => {
      const { data } = (await call('GET', '/alerts?since=0&per_page=200')).body;
      return data.map(({ kind }: { kind: string }) => kind);
    };
    const inspect = (keyword: string) =>
      call('GET', `/keywords/inspect?${new URLSearchParams({ keyword, ...storefront })}`);

    store.setFault('blocked');
    pass(14 * 60 + 40);
    await readAll();
    for (let hour = 0; hour < 24; hour += 6) {
      expect((await inspect(`away ${hour}`)).status).toBe(502);
      pass(6 * 60);
    }
    await until(async () => (await told()).length > 0);
    expect(await told()).toEqual(['store_blocked']);

    store.setFault('ok');
    pass(60);
    await until(async () => (await inspect('notes')).status === 200);
    await readAll();
    await until(async () => (await told()).length > 1);
    await until(async () => {
      const { data } = (await call('GET', `/keywords?app_id=${appId}`)).body;
      return data.every((row: { rank_date: string | null }) => row.rank_date !== null);
    });
    expect(await told()).toEqual(['store_blocked', 'store_recovered']);
    const { data } = (await call('GET', '/alerts?since=0')).body;
    expect(data[0]).toMatchObject({ app: null, keyword: null, evidence: { store: 'ITUNES' } });
  } finally {
    await store.stop();
    await stop();
  }
});
