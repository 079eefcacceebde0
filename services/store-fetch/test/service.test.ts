import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { Store } from '@shelfwise/proto/store/v1/storefront';
import { createGrpcClient } from '@shelfwise/runtime/grpc-client';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { statusService } from '@shelfwise/runtime/status-service';
import { createSource } from '../src/create-source.ts';
import { createStoreFetchServer } from '../src/server.ts';
import type { StoreSource } from '../src/sources/source.ts';

const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => {} } });
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const settings = {
  STORE_SOURCE: 'sample',
  STORE_ITUNES_URL: 'http://127.0.0.1:1',
  STORE_TIMEOUT_MS: 500,
} as const;

/** The real service on a free port, over the source given or the one that the settings name. */
async function connect(source?: StoreSource, sourceSettings: Parameters<typeof createSource>[0] = settings) {
  const metrics = createMetrics();
  const chosen = createSource(sourceSettings, { metrics, now: () => new Date('2026-11-21T12:00:00Z') });
  const server = createStoreFetchServer({
    source: source ?? chosen.source,
    checks: { 'store source': chosen.status },
    logger,
    metrics,
    listenAddress: '127.0.0.1:0',
  });
  await server.start();
  const address = server.address();
  const { client, close } = createGrpcClient({
    service: StoreFetchServiceService,
    name: 'store-fetch',
    address,
  });
  const status = createGrpcClient({ service: statusService, name: 'store-fetch', address });
  closing.push(() => server.stop(), close, status.close);
  return { client, status: status.client };
}

const call = (ms = 10_000) => ({ requestId: 'test', deadline: new Date(Date.now() + ms) });
const storefront = (store: Store = 'ITUNES', country = 'US', lang = 'en-US') => ({ store, country, lang });

test('a search answers with rows, when they were read and from where', async () => {
  const { client } = await connect();
  const request = { storefront: storefront(), term: 'habit tracker', limit: 100 };
  const reply = await client.searchApps(request, call());
  expect(reply.reading).toEqual({ read_at: new Date('2026-11-21T12:00:00Z'), source: 'sample' });
  expect(reply.apps.length).toBeGreaterThan(10);
  expect(await client.searchApps(request, call())).toEqual(reply);
});

test('a listing found by its row has every field, and null where the store does not say', async () => {
  const { client } = await connect();
  const { apps } = await client.searchApps(
    { storefront: storefront(), term: 'budget planner', limit: 5 },
    call(),
  );
  const { listing } = await client.getListing(
    { storefront: storefront(), app_id: apps[0]?.app_id ?? '' },
    call(),
  );
  expect(listing).toMatchObject({ app_id: apps[0]?.app_id, title: apps[0]?.title });
  expect(listing?.description.length).toBeGreaterThan(50);
});

test.each([
  ['store', { storefront: storefront('UNRECOGNIZED'), term: 'notes', limit: 10 }],
  ['store', { storefront: null, term: 'notes', limit: 10 }],
  ['country', { storefront: storefront('GPLAY', 'CN'), term: 'notes', limit: 10 }],
  ['lang', { storefront: storefront('ITUNES', 'US', 'klingon'), term: 'notes', limit: 10 }],
  ['term', { storefront: storefront(), term: '', limit: 10 }],
  ['term', { storefront: storefront(), term: 'x'.repeat(201), limit: 10 }],
  ['limit', { storefront: storefront(), term: 'notes', limit: 0 }],
  ['limit', { storefront: storefront(), term: 'notes', limit: 201 }],
])('a request with a wrong %s is refused by name', async (field, request) => {
  const { client } = await connect();
  await expect(client.searchApps(request, call())).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } },
  });
});

test('an app that the store does not have is APP_NOT_FOUND', async () => {
  const { client } = await connect();
  const asked = client.getListing({ storefront: storefront(), app_id: '999' }, call());
  await expect(asked).rejects.toMatchObject({ code: 'APP_NOT_FOUND' });
});

test('a store that stays silent is STORE_FETCH_FAILED two seconds before the deadline, and its reading is ended', async () => {
  let isEnded = false;
  const silent = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        isEnded = true;
        reject(signal.reason);
      }),
    );
  const { client } = await connect({
    search: (_storefront, _term, { signal }) => silent(signal),
    getListing: (_storefront, _appId, { signal }) => silent(signal),
  });
  const deadline = new Date(Date.now() + 2300);
  const asked = client.getListing({ storefront: storefront(), app_id: '1' }, { requestId: 'test', deadline });
  await expect(asked).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
  expect(Date.now()).toBeLessThan(deadline.getTime() - 1000);
  expect(isEnded).toBe(true);
});

test('a live store that cannot be reached is STORE_FETCH_FAILED, and the status page says so', async () => {
  const { client, status } = await connect(undefined, { ...settings, STORE_SOURCE: 'live' });
  const before = await status.getStatus({}, call());
  expect(before.parts).toMatchObject([{ name: 'store source', state: 'OK' }]);
  const asked = client.searchApps({ storefront: storefront(), term: 'notes', limit: 10 }, call());
  await expect(asked).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
  const after = await status.getStatus({}, call());
  expect(after.parts).toMatchObject([{ state: 'DEGRADED', detail: expect.stringContaining('unreachable') }]);
});

test('Google Play is refused by the live source, never answered from the sample', async () => {
  const { client } = await connect(undefined, { ...settings, STORE_SOURCE: 'live' });
  const asked = client.searchApps({ storefront: storefront('GPLAY'), term: 'notes', limit: 10 }, call());
  await expect(asked).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
    message: expect.stringContaining('Google Play cannot be read'),
  });
});

test('the status page says plainly that the sample is fictional', async () => {
  const { status } = await connect();
  const { parts } = await status.getStatus({}, call());
  expect(parts[0]?.detail).toMatch(/fictional/);
});
