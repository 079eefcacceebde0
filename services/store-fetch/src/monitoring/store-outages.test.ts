import type { TopicMessages } from '@shelfwise/proto/topics';
import { topics } from '@shelfwise/proto/topics';
import { type StoredEvent, toRecord } from '@shelfwise/runtime/events/outbox';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { useDatabase } from '../../../../testing/use-database.ts';
import { storeFetchSchema } from '../schema.ts';
import type { Endpoint } from '../store-health/endpoints.ts';
import { createStoreStateStore } from '../stores/store-state-store.ts';
import { createStoreOutages } from './store-outages.ts';

const database = useDatabase(storeFetchSchema);
const minuteMs = 60_000;

async function start() {
  const { connection } = await database.take();
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const states = createStoreStateStore(connection);
  let isOpen = true;
  /** A copy of the service. */
  function createCopy() {
    const outages = createStoreOutages({
      states,
      isOpen: () => isOpen,
      now: clock.now,
      logger: { warn: (...line: unknown[]) => expect(line).toEqual([]) },
    });
    return async (outcome: string, endpoint: Endpoint = 'itunes-search') => {
      outages.onCall({ endpoint, outcome });
      await outages.settled();
    };
  }
  async function events(): Promise<TopicMessages['store.state-changed.v1'][]> {
    const rows = await states.model.find().lean<{ outbox?: Record<string, StoredEvent> }[]>();
    return rows.flatMap(({ outbox = {} }) =>
      Object.entries(outbox).map(([id, stored]) =>
        topics['store.state-changed.v1'].decode(toRecord(id, stored).payload),
      ),
    );
  }
  const told = async () =>
    (await events()).map(({ store, is_blocked }) => `${store} ${is_blocked ? 'blocked' : 'read'}`);
  const pass = (minutes: number) => clock.moveTo(new Date(clock.at.getTime() + minutes * minuteMs));
  return { createCopy, call: createCopy(), events, told, pass, setOpen: (open: boolean) => (isOpen = open) };
}

test('a store whose result pages fail for half an hour is away, once, until one is read', async () => {
  const { call, events, told, pass } = await start();
  await call('ok');
  for (let minute = 0; minute < 29; minute += 1) {
    await call('blocked');
    await pass(1);
  }
  expect(await told()).toEqual([]);
  for (let hour = 0; hour < 24; hour += 1) {
    await pass(60);
    await call('timeout');
  }
  expect(await told()).toEqual(['ITUNES blocked']);
  expect((await events())[0]).toMatchObject({ since: new Date('2026-03-10T09:00:00Z') });
  await call('ok');
  await pass(1);
  await call('ok');
  expect(await told()).toEqual(['ITUNES blocked', 'ITUNES read']);
  expect((await events())[1]).toMatchObject({ since: new Date('2026-03-10T09:00:00Z') });
});

test.each<[string, (test: Awaited<ReturnType<typeof start>>) => Promise<void>]>([
  ['a success in between', async ({ call }) => call('ok')],
  ['a closed breaker', async ({ setOpen }) => void setOpen(false)],
])('%s: the store is not away', async (_what, act) => {
  const test = await start();
  await test.call('blocked');
  await test.pass(29);
  await act(test);
  await test.pass(2);
  await test.call('blocked');
  expect(await test.told()).toEqual([]);
});

test('charts, suggestions and abandoned calls say nothing about ranks', async () => {
  const { call, told, pass } = await start();
  for (const endpoint of ['itunes-chart', 'itunes-hints', 'play-suggest'] as const) {
    await call('blocked', endpoint);
    await pass(40);
    await call('blocked', endpoint);
  }
  await call('abandoned');
  await pass(40);
  await call('abandoned');
  expect(await told()).toEqual([]);
});

test('a copy whose addresses are refused does not say that a store is away which another copy reads', async () => {
  const { createCopy, call, told, pass } = await start();
  const other = createCopy();
  for (let minutes = 0; minutes < 120; minutes += 10) {
    await call('blocked');
    await other('ok');
    await pass(10);
  }
  expect(await told()).toEqual([]);
});

test('two copies that see the same outage publish one event', async () => {
  const { createCopy, call, told, pass } = await start();
  const other = createCopy();
  const both = (outcome: string) => Promise.all([call(outcome), other(outcome)]);
  await both('blocked');
  await pass(31);
  await both('blocked');
  await both('blocked');
  expect(await told()).toEqual(['ITUNES blocked']);
  await both('ok');
  expect(await told()).toEqual(['ITUNES blocked', 'ITUNES read']);
});
