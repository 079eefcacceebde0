import { type Store, stores } from '@shelfwise/facts/stores/store';
import { callWithin } from '../../../testing/call-within.ts';
import { useFakeStore } from './use-fake-store.ts';
import {
  callRpc,
  type Rpc,
  readingRpcs,
  requests,
  storefront,
  storeRpcs,
  useService,
} from './use-service.ts';

const { connect, openLiveSource } = useService();

const fake = useFakeStore();

/** Starts the service with an empty cache and closed breakers. */
async function start() {
  const { source, checks } = await openLiveSource(fake.url);
  return connect(source, { checks });
}

/** One request of each RPC that the fake store can answer. */
function requestsTo(store: Store, rpcs: readonly Rpc[]) {
  const appId = store === 'ITUNES' ? '700000001' : 'example.invented.play1';
  const about = {
    storefront: storefront(store),
    store,
    term: 'notes',
    prefix: 'no',
    app_id: appId,
    app_ids: [appId],
  };
  return rpcs.map((rpc) => [rpc, { ...requests[rpc], ...about }] as const);
}

const sources = { ITUNES: 'app-store', GPLAY: 'google-play' } as const;

describe.each(stores)('%s', (store) => {
  test('answers every read and names its source', async () => {
    const { client } = await start();
    for (const [rpc, request] of requestsTo(store, readingRpcs)) {
      const reading = { read_at: expect.any(Date), source: sources[store] };
      const single = { reading };
      const several = { results: [{ outcome: { $case: 'found', value: single } }] };
      const reply = await callRpc(client, rpc, request);
      expect([rpc, reply]).toMatchObject([rpc, rpc === 'getListings' ? several : single]);
    }
  });

  test('when it blocks, every RPC that calls it is STORE_FETCH_FAILED, never empty, and the health page shows it', async () => {
    const { client, status } = await start();
    fake.setFault('blocked');
    for (const [rpc, request] of requestsTo(store, storeRpcs)) {
      const answer = callRpc(client, rpc, request);
      const failure = {
        code: 'STORE_FETCH_FAILED',
        message: expect.stringMatching(/^(The App Store|Google Play) /),
      };
      if (rpc === 'getListings')
        expect(await answer).toMatchObject({ results: [{ outcome: { $case: 'failure', value: failure } }] });
      else await expect(answer).rejects.toMatchObject(failure);
    }
    const { parts } = await status.getStatus({}, callWithin());
    const name = store === 'ITUNES' ? 'App Store' : 'Google Play';
    expect(parts.find((part) => part.name === name)).toMatchObject({ state: 'DEGRADED' });
    const other = parts.filter((part) => part.name !== name);
    expect(other.every(({ state }) => state === 'OK')).toBe(true);
  });

  test('when it never answers, the caller gets an error two seconds before the deadline', async () => {
    const { client } = await start();
    fake.setFault('hang');
    const request = { ...requests.searchApps, storefront: storefront(store) };
    const { length } = fake.calls();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
    try {
      const outcome = client.searchApps(request, callWithin(35_000)).catch((error: unknown) => error);
      while (fake.calls().length === length) await new Promise((resolve) => setImmediate(resolve));
      await jest.advanceTimersByTimeAsync(33_000);
      expect(await outcome).toMatchObject({
        code: 'STORE_FETCH_FAILED',
        message: expect.stringContaining('in the time that was left for this call'),
      });
    } finally {
      jest.useRealTimers();
    }
  });
});

test.each(stores)('%s is not called again for a tag of the same language', async (store) => {
  const { client } = await start();
  const request = (lang: string) => ({
    ...requests.searchApps,
    term: 'notes',
    storefront: storefront(store, 'US', lang),
  });
  const first = await client.searchApps(request('en'), callWithin());
  const { length } = fake.calls();
  for (const lang of ['en-US', 'en-Latn-US'])
    expect(await client.searchApps(request(lang), callWithin())).toEqual(first);
  expect(fake.calls()).toHaveLength(length);
  await client.searchApps(request('en-GB'), callWithin());
  expect(fake.calls()).toHaveLength(length + 1);
});
