import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { urgent } from '../src/budget/urgency.ts';
import type { StoreSource } from '../src/source.ts';
import { allPlayApps } from './fake-store/google-play-apps.ts';
import type { FakeMode } from './fake-store/start-fake-store.ts';
import { useFakeStore } from './use-fake-store.ts';
import { useService } from './use-service.ts';

const { openLiveSource } = useService();

const fake = useFakeStore();
let live: Awaited<ReturnType<typeof openLiveSource>>;

beforeEach(async () => {
  live = await openLiveSource(fake.url);
});

const options = () => ({ signal: new AbortController().signal, urgency: urgent });
const appStore = (country = 'US'): Storefront => ({ store: 'ITUNES', country, lang: 'en-US' });
const play = (country = 'US'): Storefront => ({ store: 'GPLAY', country, lang: 'en-US' });
const readListing = (storefront: Storefront, id: string) => (source: StoreSource) =>
  source.getListing(storefront, id, { ...options(), withSubtitle: false });
const readChart = (country: string, category: string) => (source: StoreSource) =>
  source.chart(appStore(country), { category, collection: 'free', limit: 10 }, options());
const search = (term: string) => (source: StoreSource) =>
  source.search(appStore(), term, { ...options(), limit: 10, onDay: null });

const [broken, healthy] = allPlayApps.map(({ appId }) => appId) as [string, string];

/** `calls`: how many store calls 20 requests for the broken item make. */
const cases: {
  name: string;
  fault: FakeMode;
  only: string;
  read: (source: StoreSource) => Promise<unknown>;
  others: ((source: StoreSource) => Promise<unknown>)[];
  calls: number;
}[] = [
  {
    name: 'an unreadable listing of the App Store',
    fault: 'wrong-shape',
    only: '/lookup?id=700000001&',
    read: readListing(appStore(), '700000001'),
    others: [readListing(appStore(), '700000002'), readListing(appStore('GB'), '700000003')],
    calls: 2,
  },
  {
    name: 'an unreadable listing of Google Play',
    fault: 'changed',
    only: `/store/apps/details?id=${broken}&`,
    read: readListing(play(), broken),
    others: [readListing(play(), healthy)],
    calls: 2,
  },
  {
    name: 'a refused listing of Google Play',
    fault: 'bad-request',
    only: `/store/apps/details?id=${broken}&`,
    read: readListing(play(), broken),
    others: [readListing(play(), healthy)],
    calls: 1,
  },
  {
    name: 'an unreadable result page',
    fault: 'wrong-shape',
    only: '/search?term=notes&',
    read: search('notes'),
    others: [search('habit')],
    calls: 2,
  },
  {
    name: 'a refused chart',
    fault: 'bad-request',
    only: '/us/rss/topfreeapplications/limit=100/genre=6014/',
    read: readChart('US', '6014'),
    others: [readChart('US', '6015'), readChart('GB', '6014'), readChart('US', 'OVERALL')],
    calls: 1,
  },
];

test.each(cases)(
  '$name closes the store for no other request, and is called $calls times for 20 requests',
  async ({ fault, only, read, others, calls }) => {
    fake.setFault(fault, { only });
    const callsBefore = fake.calls().length;
    const outcomes = [];
    for (let i = 0; i < 20; i++)
      outcomes.push(
        await read(live.source).then(
          () => 'answered',
          (error) => error.code,
        ),
      );
    expect(outcomes).toEqual(Array(20).fill('STORE_FETCH_FAILED'));
    expect(fake.calls().length - callsBefore).toBe(calls);
    for (const readOther of others) await expect(readOther(live.source)).resolves.toBeDefined();
  },
);

test('an app that is unreadable in every storefront closes the store for no other app', async () => {
  fake.setFault('wrong-shape', { only: '/lookup?id=700000001&' });
  for (const country of ['US', 'GB', 'DE', 'FR', 'IT', 'ES'])
    await expect(readListing(appStore(country), '700000001')(live.source)).rejects.toMatchObject({
      code: 'STORE_FETCH_FAILED',
      cause: { kind: 'malformed' },
    });
  await expect(readListing(appStore(), '700000002')(live.source)).resolves.toBeDefined();
});

test('an app that makes many result pages unreadable closes the store for no other search', async () => {
  await search('notes')(live.source);
  fake.setFault('garbage', { only: '/search?term=odd' });
  for (let i = 0; i < 8; i++)
    await expect(search(`odd ${i}`)(live.source)).rejects.toMatchObject({ cause: { kind: 'malformed' } });
  await expect(search('habit')(live.source)).resolves.toBeDefined();
});

test('a store that has changed all its answers is called a few times, then no more', async () => {
  fake.setFault('changed');
  const callsBefore = fake.calls().length;
  for (const term of ['notes', 'habit', 'music', 'sleep', 'weather', 'piano', 'chess', 'recipes'])
    await expect(search(term)(live.source)).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
  expect(fake.calls().length - callsBefore).toBeLessThanOrEqual(6);
  await expect(search('piano')(live.source)).rejects.toMatchObject({ cause: { kind: 'circuit_open' } });
});
