import { AppError } from '@shelfwise/runtime/errors';
import { callWithin } from '../../../testing/call-within.ts';
import type { Reading, ReadOptions, StoreSource } from '../src/source.ts';
import { listing } from './scripted-source.ts';
import { shareSampleSource } from './share-sample-catalog.ts';
import {
  type Client,
  callRpc,
  type Rpc,
  readingRpcs,
  requests,
  storefront,
  storeRpcs,
  useService,
} from './use-service.ts';

const now = new Date('2026-11-21T12:00:00Z');
const { connect } = useService();
const forAllTests = { isRemote: true, isShared: true };

describe('with the sample', () => {
  let client: Client;
  beforeAll(async () => {
    ({ client } = await connect(shareSampleSource({ now: () => now }), forAllTests));
  });
  const reading = { read_at: now, source: 'sample' };
  const firstApp = async (term: string) => {
    const { apps } = await client.searchApps({ ...requests.searchApps, term }, callWithin());
    return apps[0]?.app_id ?? '';
  };

  test('a search returns rows, the read time and the source', async () => {
    const reply = await client.searchApps(requests.searchApps, callWithin());
    expect(reply.reading).toEqual(reading);
    expect(reply.apps.length).toBeGreaterThan(10);
    expect(reply.is_suspect).toBe(false);
    expect(await client.searchApps(requests.searchApps, callWithin())).toEqual(reply);
  });

  test('rows beyond those that are asked for complete have only their id, and the page is as long', async () => {
    const { apps } = await client.searchApps(requests.searchApps, callWithin());
    const asked = await client.searchApps({ ...requests.searchApps, complete_rows: 3 }, callWithin());
    expect(asked.apps.slice(0, 3)).toEqual(apps.slice(0, 3));
    const others = asked.apps.slice(3).map((app) => Object.values(app).filter((value) => value !== null));
    expect(others).toEqual(apps.slice(3).map(({ app_id }) => [app_id]));
  });

  test('a row of the App Store has the genre and release date of the app’s page', async () => {
    const { apps } = await client.searchApps(requests.searchApps, callWithin());
    for (const app of apps.slice(0, 5)) {
      const { listing } = await client.getListing(
        { ...requests.getListing, app_id: app.app_id },
        callWithin(),
      );
      const shown = { genre: app.genre, genre_key: app.genre_key, updated_at: app.updated_at };
      expect(shown).toMatchObject({
        genre_key: expect.stringMatching(/^60\d\d$/),
        updated_at: expect.any(Date),
      });
      expect(listing).toMatchObject(shown);
    }
  });

  test('what a store does not say is null, never 0 or an empty text', async () => {
    const play = { ...requests.searchApps, storefront: storefront('GPLAY') };
    const { apps } = await client.searchApps(play, callWithin());
    expect(apps).not.toEqual([]);
    const unsaid = { genre: null, genre_key: null, ratings: null, updated_at: null };
    for (const app of apps) expect(app).toMatchObject(unsaid);
  });

  test('the page of an earlier day has the read time of that day', async () => {
    const { reading, apps } = await client.searchApps(
      { ...requests.searchApps, on_day: '2026-11-01' },
      callWithin(),
    );
    expect(reading?.read_at).toEqual(new Date('2026-11-01T12:00:00Z'));
    expect(apps.length).toBeGreaterThan(10);
  });

  test('the chart of an earlier day has the read time of that day, and other ranks', async () => {
    const request = { ...requests.getChart, limit: 100 };
    const before = await client.getChart({ ...request, on_day: '2026-11-20' }, callWithin());
    expect(before.reading?.read_at).toEqual(new Date('2026-11-20T12:00:00Z'));
    const idsOf = ({ apps }: typeof before) => apps.map((app) => app.app_id);
    expect(idsOf(before)).not.toEqual(idsOf(await client.getChart(request, callWithin())));
    await expect(client.getChart({ ...request, on_day: '2026-11-22' }, callWithin())).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
  });

  test('the listing of a found app has every field', async () => {
    const appId = await firstApp('budget planner');
    const { listing, reading: readFrom } = await client.getListing(
      { ...requests.getListing, app_id: appId },
      callWithin(),
    );
    expect(readFrom).toEqual(reading);
    expect(listing).toMatchObject({
      app_id: appId,
      bundle_id: expect.stringMatching(/^com\.example\./),
      description: expect.stringMatching(/.{50}/),
      subtitle: expect.any(String),
      url: expect.stringMatching(/^https:/),
      genre_key: '6015',
      price: 0,
      currency: 'USD',
      installs: null,
      has_video: null,
      languages: expect.arrayContaining(['en']),
      released_at: expect.any(Date),
      updated_at: expect.any(Date),
    });
  });

  test('a subtitle that was not requested is null, not an empty text', async () => {
    const appId = await firstApp('budget planner');
    const { listing } = await client.getListing(
      { ...requests.getListing, app_id: appId, with_subtitle: false },
      callWithin(),
    );
    expect(listing?.subtitle).toBeNull();
  });

  test('listings are in the order of the request, with a missing app next to an existing one', async () => {
    const appId = await firstApp('weather');
    const { results } = await client.getListings(
      { ...requests.getListings, app_ids: ['999', appId], fresh_since: now },
      callWithin(),
    );
    expect(results).toMatchObject([
      { app_id: '999', outcome: { $case: 'failure', value: { code: 'APP_NOT_FOUND' } } },
      { app_id: appId, outcome: { $case: 'found', value: { reading, listing: { app_id: appId } } } },
    ]);
  });

  test('suggestions start with the prefix', async () => {
    const { suggestions, ...rest } = await client.suggestTerms(requests.suggestTerms, callWithin());
    expect(rest).toEqual({ reading });
    expect(suggestions?.terms.length).toBe(10);
    expect(suggestions?.terms.every((term) => term.startsWith('pho'))).toBe(true);
  });

  test.each(['FREE', 'PAID', 'GROSSING'] as const)(
    'the chart %s has ten rows in rank order',
    async (collection) => {
      const { apps, reading: readFrom } = await client.getChart(
        { ...requests.getChart, collection },
        callWithin(),
      );
      expect(readFrom).toEqual(reading);
      expect(apps).toHaveLength(10);
      const wider = await client.getChart({ ...requests.getChart, collection, limit: 200 }, callWithin());
      expect(wider.apps.slice(0, 10)).toEqual(apps);
    },
  );

  test('an app that the store does not have is APP_NOT_FOUND', async () => {
    const requested = client.getListing({ ...requests.getListing, app_id: '999' }, callWithin());
    await expect(requested).rejects.toMatchObject({ code: 'APP_NOT_FOUND' });
  });
});

const twentyOne = Array.from({ length: 21 }, (_, index) => `${index}`);
const refusals: [rpc: Rpc, field: string, wrong: object][] = [
  ...(
    ['searchApps', 'getListing', 'getListings', 'suggestTerms', 'getChart', 'runAutocomplete'] as const
  ).flatMap((rpc): [Rpc, string, object][] => [
    [rpc, 'store', { storefront: null }],
    [rpc, 'store', { storefront: storefront('UNSPECIFIED') }],
    [rpc, 'store', { storefront: storefront('UNRECOGNIZED') }],
    [rpc, 'country', { storefront: storefront('GPLAY', 'CN') }],
    [rpc, 'country', { storefront: storefront('ITUNES', '') }],
    [rpc, 'lang', { storefront: storefront('ITUNES', 'US', 'klingon') }],
  ]),
  ['searchApps', 'term', { term: '' }],
  ['searchApps', 'term', { term: 'x'.repeat(201) }],
  ['searchApps', 'limit', { limit: 0 }],
  ['searchApps', 'limit', { limit: 201 }],
  ['searchApps', 'on_day', { on_day: '' }],
  ['searchApps', 'on_day', { on_day: '2026-02-30' }],
  ['searchApps', 'fresh_since', { fresh_since: { getTime: () => 9e15 } }],
  ['getListing', 'app_id', { app_id: '' }],
  ['getListing', 'app_id', { app_id: 'x'.repeat(256) }],
  ['getListings', 'app_ids', { app_ids: [] }],
  ['getListings', 'app_ids', { app_ids: twentyOne }],
  ['getListings', 'app_ids', { app_ids: ['1', '2', '1'] }],
  ['getListings', 'app_ids', { app_ids: ['1', ''] }],
  ['getListings', 'app_ids', { app_ids: ['1', 'x'.repeat(256)] }],
  // Beyond the range of a Date.
  ['getListings', 'fresh_since', { fresh_since: { getTime: () => 9e15 } }],
  ['suggestTerms', 'prefix', { prefix: '' }],
  ['suggestTerms', 'prefix', { prefix: 'x'.repeat(201) }],
  ['getChart', 'category', { category: '' }],
  ['getChart', 'category', { category: 'X'.repeat(65) }],
  ['getChart', 'collection', { collection: 'COLLECTION_UNSPECIFIED' }],
  ['getChart', 'collection', { collection: 'UNRECOGNIZED' }],
  ['getChart', 'limit', { limit: 0 }],
  ['getChart', 'on_day', { on_day: '2026-02-30' }],
  ['getChart', 'limit', { limit: 201 }],
  ['runAutocomplete', 'account_id', { account_id: '' }],
  ['runAutocomplete', 'prefix', { prefix: '' }],
  ['runAutocomplete', 'prefix', { prefix: ' \u3000\t' }],
  ['runAutocomplete', 'prefix', { prefix: '\u200b\u200d' }],
  ['runAutocomplete', 'prefix', { prefix: '\u0000\ufeff' }],
  ['runAutocomplete', 'prefix', { prefix: 'x'.repeat(61) }],
  // Each character becomes four letters.
  ['runAutocomplete', 'prefix', { prefix: '㍿'.repeat(16) }],
  ['runAutocomplete', 'prefix', { prefix: 'x'.repeat(1201) }],
  ['getIcon', 'store', { store: 'UNSPECIFIED' }],
  ['getIcon', 'app_id', { app_id: '' }],
  ['getIcon', 'app_id', { app_id: 'x'.repeat(256) }],
  ['listAutocompletes', 'account_id', { account_id: '' }],
  ['listAutocompletes', 'account_id', { account_id: 'x'.repeat(65) }],
  ['listAutocompletes', 'page', { page: 0 }],
  ['listAutocompletes', 'page', { page: 1_000_001 }],
  ['listAutocompletes', 'per_page', { per_page: 0 }],
  ['listAutocompletes', 'per_page', { per_page: 201 }],
];

describe('with a source that records its requests', () => {
  const requested: { method: string; args: unknown[] }[] = [];
  let client: Client;
  beforeAll(async () => {
    ({ client } = await connect(
      recordingSource((method, args) => requested.push({ method, args })),
      forAllTests,
    ));
  });
  beforeEach(() => requested.splice(0));

  test.each(refusals)(
    '%s refuses a wrong %s by name, without reading a store (%#)',
    async (rpc, field, wrong) => {
      await expect(callRpc(client, rpc, { ...requests[rpc], ...wrong })).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } },
      });
      expect(requested).toEqual([]);
    },
  );

  test.each([
    ['searchApps', { term: 'x'.repeat(200), limit: 200 }],
    ['getListing', { app_id: 'x'.repeat(255) }],
    ['getListings', { app_ids: twentyOne.slice(1) }],
    ['suggestTerms', { prefix: 'x'.repeat(200) }],
    ['getChart', { limit: 200 }],
    ['getIcon', { app_id: 'x'.repeat(255) }],
    ['runAutocomplete', { prefix: '🏠'.repeat(60), account_id: 'x'.repeat(64) }],
  ] as const)('%s accepts the largest allowed value', async (rpc, largest) => {
    await callRpc(client, rpc, { ...requests[rpc], ...largest });
    expect(requested).toHaveLength(1);
  });

  test('country and language reach the source in canonical spelling', async () => {
    await client.searchApps(
      { ...requests.searchApps, storefront: storefront('ITUNES', 'us', 'EN-us') },
      callWithin(),
    );
    expect(requested[0]?.args[0]).toEqual({ store: 'ITUNES', country: 'US', lang: 'en-US' });
  });

  test.each(readingRpcs)('%s passes on whether a caller waits, and which', async (rpc) => {
    const unhurried = { ...requests[rpc], for_daily_run: true };
    await callRpc(client, rpc, requests[rpc], { ...callWithin(), callerId: 'ann' });
    await callRpc(client, rpc, unhurried);
    await callRpc(client, rpc, unhurried, { ...callWithin(), callerId: 'ann' });
    const urgencies = requested.map(({ args }) => (args.at(-1) as ReadOptions).urgency);
    expect(urgencies.map(({ isUrgent, callers }) => [isUrgent(), callers.ids()])).toEqual([
      [true, ['ann']],
      [false, ['']],
      [false, ['ann']],
    ]);
  });

  test('runAutocomplete passes on which caller waits', async () => {
    await callRpc(client, 'runAutocomplete', requests.runAutocomplete, { ...callWithin(), callerId: 'ann' });
    const [options] = requested.map(({ args }) => args.at(-1) as ReadOptions);
    expect(options?.urgency.callers.ids()).toEqual(['ann']);
  });

  test('all other options of a request reach the source', async () => {
    const freshSince = new Date('2026-11-21T10:00:00.123Z');
    await client.getListings(
      { ...requests.getListings, with_subtitle: false, fresh_since: freshSince },
      callWithin(),
    );
    await client.getListings(requests.getListings, callWithin());
    await client.searchApps({ ...requests.searchApps, on_day: '2026-11-01' }, callWithin());
    await client.searchApps(requests.searchApps, callWithin());
    expect(requested.map(({ args }) => args.at(-1))).toMatchObject([
      { withSubtitle: false, freshSince: freshSince },
      { withSubtitle: true, freshSince: null },
      { onDay: '2026-11-01', limit: 100 },
      { onDay: null },
    ]);
  });

  test('every field that the store does not say is null', async () => {
    const { listing } = await client.getListing(requests.getListing, callWithin());
    const nulls = Object.entries(listing ?? {}).filter(([, value]) => value === null);
    expect(nulls.map(([field]) => field).sort()).toEqual([
      'currency',
      'genre_key',
      'has_video',
      'installs',
      'price',
      'ratings',
      'released_at',
      'score',
      'subtitle',
      'updated_at',
      'version',
    ]);
  });

  test('unknown suggestions are absent; no suggestions are an empty list', async () => {
    const unknown = await client.suggestTerms({ ...requests.suggestTerms, prefix: 'unknown' }, callWithin());
    const none = await client.suggestTerms(requests.suggestTerms, callWithin());
    expect(unknown.suggestions).toBeNull();
    expect(none.suggestions).toEqual({ terms: [], is_uncertain: true });
  });
});

describe('with a store that never answers', () => {
  const signals: AbortSignal[] = [];
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signals.push(signal);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  let client: Client;
  beforeAll(async () => {
    const source: StoreSource = {
      search: (_storefront, _term, { signal }) => untilAborted(signal),
      getListing: (_storefront, _appId, { signal }) => untilAborted(signal),
      getListings: (_storefront, _appIds, { signal }) => untilAborted(signal),
      suggest: (_storefront, _prefix, { signal }) => untilAborted(signal),
      chart: (_storefront, _wanted, { signal }) => untilAborted(signal),
      icon: (_store, _appId, signal) => untilAborted(signal),
    };
    ({ client } = await connect(source, { isShared: true }));
  });
  beforeEach(() => {
    signals.splice(0);
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] });
  });
  afterEach(() => jest.useRealTimers());

  test.each(storeRpcs)(
    '%s is STORE_FETCH_FAILED two seconds before the deadline, and its read is aborted',
    async (rpc) => {
      const outcome = callRpc(client, rpc, requests[rpc], callWithin(35_000)).catch((error) => error);
      await jest.advanceTimersByTimeAsync(32_999);
      expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
      await jest.advanceTimersByTimeAsync(1);
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
      expect(await outcome).toMatchObject({ code: 'STORE_FETCH_FAILED' });
    },
  );

  test('a caller with less than two seconds left causes no store call', async () => {
    const requested = client.searchApps(requests.searchApps, callWithin(1_999));
    await expect(requested).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
    expect(signals).toEqual([]);
  });

  test('a caller that gives up aborts its read', async () => {
    const caller = new AbortController();
    const requested = client.searchApps(requests.searchApps, { ...callWithin(), signal: caller.signal });
    while (signals.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const ended = new Promise((resolve) => signals[0]?.addEventListener('abort', resolve));
    caller.abort();
    await expect(requested).rejects.toBeInstanceOf(AppError);
    await ended;
  });
});

/** A listing with every optional field missing. */
const bareListing = listing({
  subtitle: null,
  genre_key: null,
  version: null,
  score: null,
  ratings: null,
  price: null,
  currency: null,
  released_at: null,
});

/** A source with a single app that records its requests. */
function recordingSource(record: (method: string, args: unknown[]) => void): StoreSource {
  const reading: Reading = { readAt: now, source: 'app-store' };
  const answer =
    <Answer>(method: string, toAnswer: (prefix: unknown) => Answer) =>
    async (...args: unknown[]) => {
      record(method, args);
      return toAnswer(args[1]);
    };
  return {
    search: answer('search', () => ({ ...reading, apps: [], isSuspect: false })),
    getListing: answer('getListing', () => ({ ...reading, listing: bareListing })),
    getListings: answer('getListings', () => []),
    suggest: answer('suggest', (prefix) =>
      prefix === 'unknown'
        ? { ...reading, terms: null, isUncertain: false }
        : { ...reading, terms: [], isUncertain: true },
    ),
    chart: answer('chart', () => ({ ...reading, apps: [] })),
    icon: answer('icon', () => ({ image: Buffer.from('icon'), type: 'image/png' as const })),
  };
}
