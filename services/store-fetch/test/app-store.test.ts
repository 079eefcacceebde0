import { findFreePort } from '../../../testing/find-free-port.ts';
import { until } from '../../../testing/until.ts';
import { forDailyRun, urgent } from '../src/budget/urgency.ts';
import type { ReadOptions } from '../src/source.ts';
import { StoreFailure, type StoreFailureKind } from '../src/store-health/store-failure.ts';
import { createSource, failureOf, jp, sourceOfPage, toPage, us, waiting } from './create-app-store-source.ts';
import { searchFakeApps } from './fake-store/fake-apps.ts';
import type { FakeMode } from './fake-store/start-fake-store.ts';
import { useFakeStore } from './use-fake-store.ts';

/**
 * Runs on the fake store, or on another one with the same controls at REPLAY_STORE_URL. That store knows only the
 * first faults and does not record its calls, so all other tests always run on the fake store.
 */
const replayUrl = process.env.REPLAY_STORE_URL;

const known = replayUrl
  ? { id: '281796108', bundleId: 'com.recorded.app281796108', term: 'notes', prefix: 'not' }
  : { id: '700000001', bundleId: 'example.invented.app700000001', term: 'notes', prefix: 'not' };

type Source = ReturnType<typeof createSource>['source'];

/** The error of a read whose caller has given up. */
const abandoned = { code: 'STORE_FETCH_FAILED', cause: { kind: 'abandoned' } };

/** Each endpoint: how it is read, the path of its calls, and the messages for a store that has changed. */
const readers = {
  'itunes-search': {
    read: (source: Source, options: ReadOptions) => source.search(us, known.term, { limit: 10, ...options }),
    path: '/search',
    insteadOf: 'JSON',
    changed: /another shape \(results: /,
    withoutId: /another shape \(row \d+, trackId: /,
    cutShort: /something malformed or cut short instead of JSON/,
  },
  'itunes-lookup': {
    read: (source: Source, options: ReadOptions) =>
      source.getListing(us, known.id, { withSubtitle: false, ...options }),
    path: '/lookup',
    insteadOf: 'JSON',
    changed: /another shape \(results: /,
    withoutId: /another shape \(row 1, trackId: /,
    cutShort: /something malformed or cut short instead of JSON/,
  },
  'itunes-hints': {
    read: (source: Source, options: ReadOptions) => source.suggest(us, known.prefix, options),
    path: '/WebObjects/MZSearchHints.woa/wa',
    insteadOf: 'a property list',
    changed: /another shape \(hints: /,
    withoutId: /another shape \(hints\.\d+\.term: /,
    cutShort: /a web page instead of a property list|text that is not UTF-8/,
  },
  'itunes-chart': {
    read: (source: Source, options: ReadOptions) =>
      source.chart(us, { category: 'OVERALL', collection: 'free', limit: 10 }, options),
    path: '/us/rss/topfreeapplications',
    insteadOf: 'JSON',
    changed: /a chart without rows \(entry\), with entries instead/,
    withoutId: /another shape \(row \d+, id\.attributes\.im:id: /,
    cutShort: /something malformed or cut short instead of JSON/,
  },
} as const;

type Endpoint = keyof typeof readers;
type Fault = [mode: FakeMode, kind: StoreFailureKind, message: (endpoint: Endpoint) => RegExp];

/** What users learn of a malformed answer; the table below has the messages of its cause. */
const unreadable =
  /^The App Store sent an answer that Shelfwise cannot read\. Try again in a few minutes; if that does not help, /;
const always = (message: RegExp) => () => message;

const commonFaults: Fault[] = [
  ['blocked', 'blocked', always(/^The App Store refused the call \(HTTP 403\)\. Wait a minute/)],
  ['captcha', 'captcha', always(/^The App Store asked for a captcha instead of answering \(HTTP 200\)\./)],
  ['error', 'error', always(/^The App Store answered with an error \(HTTP 503\)\. Try again later\./)],
  [
    'garbage',
    'malformed',
    (endpoint) => new RegExp(`^sent a web page instead of ${readers[endpoint].insteadOf}$`),
  ],
  ['slow', 'timeout', always(/^The App Store gave no complete answer within 100 ms\./)],
  ['hang', 'timeout', always(/^The App Store gave no complete answer within 100 ms\./)],
];

const furtherFaults: Fault[] = [
  ['too-many', 'blocked', always(/refused the call \(HTTP 429\)/)],
  ['captcha-refusal', 'captcha', always(/captcha .*\(HTTP 429\)/)],
  ['bad-request', 'error', always(/error \(HTTP 400\)/)],
  ['redirect', 'error', always(/redirected the call to another address \(HTTP 302\), not followed/)],
  ['empty', 'malformed', (endpoint) => new RegExp(`an empty body instead of ${readers[endpoint].insteadOf}`)],
  ['truncated', 'malformed', (endpoint) => readers[endpoint].cutShort],
  ['not-utf8', 'malformed', (endpoint) => readers[endpoint].cutShort],
  ['not-gzip', 'malformed', always(/cannot be decoded/)],
  ['other-json', 'malformed', always(/another shape \((resultCount|feed): |instead of a property list/)],
  ['changed', 'malformed', (endpoint) => readers[endpoint].changed],
  ['wrong-shape', 'malformed', (endpoint) => readers[endpoint].withoutId],
  ['oversized', 'malformed', always(/sent more than (16384|256) KiB/)],
  ['reset', 'unreachable', always(/could not be reached \(.+\)/)],
  ['reset-within', 'unreachable', always(/could not be reached \(.+\)/)],
  ['trickle', 'timeout', always(/no complete answer within 100 ms/)],
];

const fake = useFakeStore();

describe(`on ${replayUrl ? 'the store of REPLAY_STORE_URL' : 'the fake store'}`, () => {
  const url = () => replayUrl ?? fake.url;
  const setFault = (mode: FakeMode) => control(url(), { mode });

  beforeEach(() => setFault('ok'));
  afterAll(() => setFault('ok'));

  describe.each(Object.keys(readers) as Endpoint[])('%s', (endpoint) => {
    const { read, path } = readers[endpoint];
    const faults = replayUrl ? commonFaults : [...commonFaults, ...furtherFaults];

    test.each(faults)('a store that answers "%s" is %s, never an empty list', async (mode, kind, message) => {
      await setFault(mode);
      const { source, requested } = createSource(url(), kind === 'timeout' ? { timeoutMs: 100 } : {});
      const error = await failureOf(read(source, waiting()));
      expect(error).toMatchObject({
        code: 'STORE_FETCH_FAILED',
        message: expect.stringMatching(kind === 'malformed' ? unreadable : message(endpoint)),
      });
      expect(error.cause).toBeInstanceOf(StoreFailure);
      expect(error.cause).toMatchObject({ kind });
      if (kind === 'malformed')
        expect(error.cause).toMatchObject({ message: expect.stringMatching(message(endpoint)) });
      expect(requested).toMatchObject([{ endpoint, outcome: kind }]);
    });

    test('a store that has recovered is read again', async () => {
      const { source, requested } = createSource(url());
      await setFault('blocked');
      await failureOf(read(source, waiting()));
      await setFault('ok');
      await read(source, waiting());
      expect(requested.slice(0, 2)).toMatchObject([
        { endpoint, outcome: 'blocked' },
        { endpoint, outcome: 'ok' },
      ]);
    });

    test.each<FakeMode>(['ok', 'error'])('one read is one call, also when it is "%s"', async (mode) => {
      await setFault(mode);
      const before = await countCalls(url(), path);
      await read(createSource(url()).source, waiting()).catch(() => 'failed, as set');
      expect(await countCalls(url(), path)).toBe(before + 1);
    });

    test('one read is one call, also when it is "hang"; it ends when its caller gives up', async () => {
      await setFault('hang');
      const before = await countCalls(url(), path);
      const caller = new AbortController();
      const { source, requested } = createSource(url());
      const failure = failureOf(read(source, waiting(caller.signal)));
      await until(async () => (await countCalls(url(), path)) > before);
      caller.abort();
      expect(await failure).toMatchObject(abandoned);
      expect(requested).toMatchObject([{ outcome: 'abandoned' }]);
      expect(await countCalls(url(), path)).toBe(before + 1);
    });

    test('the urgency is passed on', async () => {
      const { source, requested } = createSource(url());
      await read(source, waiting());
      await read(source, { ...waiting(), urgency: forDailyRun });
      const urgencies = requested.map(({ urgency }) => urgency);
      expect(urgencies.slice(0, requested.length / 2).every((urgency) => urgency === urgent)).toBe(true);
      expect(urgencies.slice(requested.length / 2).every((urgency) => urgency === forDailyRun)).toBe(true);
    });
  });
});

describe('on the fake store', () => {
  const search = (term: string, limit = 5) =>
    createSource(fake.url).source.search(us, term, { limit, ...waiting() });

  test('a caller that gave up before the read causes no call', async () => {
    const before = fake.calls().length;
    const { source } = createSource(fake.url);
    const options = { limit: 5, ...waiting(AbortSignal.abort()) };
    expect(await failureOf(source.search(us, 'notes', options))).toMatchObject(abandoned);
    expect(fake.calls()).toHaveLength(before);
  });

  test.each([
    '写真 編集',
    'محرر الصور',
    '🎧 "music" & more',
    '50% off + ?#/=&term=x',
    "<l'été>",
    'cafe\u0301',
  ])('the store receives exactly the term %j', async (term) => {
    await search(term, 7);
    expect(fake.calls().at(-1)).toMatchObject({
      path: '/search',
      query: { term, country: 'US', lang: 'en_us', media: 'software', entity: 'software', limit: '7' },
    });
    await createSource(fake.url).source.suggest(us, term, waiting());
    expect(fake.calls().at(-1)?.query).toEqual({ clientApplication: 'Software', term });
  });

  test('calls carry the name of this service and no cookies', async () => {
    const { listing } = await createSource(fake.url).source.getListing(jp, '700000014', {
      withSubtitle: false,
      ...waiting(),
    });
    expect(listing).toMatchObject({ title: '写真しおり', developer_name: 'こもれび工房' });
    const call = fake.calls().at(-1);
    expect(call).toMatchObject({
      path: '/lookup',
      query: { id: '700000014', country: 'JP', lang: 'ja_jp' },
      headers: { 'user-agent': expect.stringContaining('Shelfwise') },
    });
    expect(call?.headers.cookie).toBeUndefined();
  });

  test.each(['itunes-search', 'itunes-lookup'] as const)(
    '%s: results that are announced but not sent are malformed',
    async (endpoint) => {
      fake.setFault('count-mismatch');
      const error = await failureOf(readers[endpoint].read(createSource(fake.url).source, waiting()));
      expect(error).toMatchObject({
        code: 'STORE_FETCH_FAILED',
        cause: { kind: 'malformed', message: expect.stringMatching(/announced \d+ results and sent 0/) },
      });
    },
  );

  test('faults in a share of the answers fail only those calls', async () => {
    fake.setFault('error', { rate: 0.25 });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => search('notes')));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  });

  test('a base address may have a path and a trailing slash', async () => {
    const { source } = createSource(`${fake.url}//`);
    const { apps } = await source.search(us, 'notes', { limit: 5, ...waiting() });
    expect(apps).toHaveLength(5);
  });
});

test('a store without a listening server is unreachable', async () => {
  const { source } = createSource(`http://127.0.0.1:${await findFreePort()}`);
  const error = await failureOf(source.search(us, 'notes', { limit: 5, ...waiting() }));
  expect(error).toMatchObject({
    code: 'STORE_FETCH_FAILED',
    message: expect.stringMatching(
      /^The App Store could not be reached \(ECONNREFUSED\)\. Check the network and the configured address/,
    ),
    cause: { kind: 'unreachable' },
  });
});

test('a page that is under way at midnight has the day of its request', async () => {
  const times = ['2026-03-01T23:59:59.999Z', '2026-03-02T00:00:01Z'].map((time) => new Date(time));
  const ticking = () => times.shift() ?? new Date('2026-03-02T00:00:02Z');
  const { source } = sourceOfPage(toPage(searchFakeApps('notes', 'US', 10)), { now: ticking });
  const { readAt } = await source.search(us, 'notes', { limit: 5, ...waiting() });
  expect(readAt.toISOString()).toBe('2026-03-01T23:59:59.999Z');
});

test('a page that waited for its slot over midnight has the day of the store call', async () => {
  let time = new Date('2026-03-01T23:59:59Z');
  const { source } = createSource(fake.url, {
    now: () => time,
    callWithBudget: async ({ signal }, attempt) => {
      time = new Date('2026-03-02T00:00:05Z');
      return attempt({ dispatcher: undefined, signal });
    },
  });
  const { readAt } = await source.search(us, 'notes', { limit: 5, ...waiting() });
  expect(readAt.toISOString()).toBe('2026-03-02T00:00:05.000Z');
});

async function control(url: string, body: { mode: FakeMode }): Promise<void> {
  const response = await fetch(`${url}/__control`, { method: 'POST', body: JSON.stringify(body) });
  expect(await response.json()).toMatchObject({ control: body });
}

/** The number of calls to paths with this start. */
async function countCalls(url: string, path: string): Promise<number> {
  const { counts } = (await (await fetch(`${url}/__control`)).json()) as { counts: Record<string, number> };
  return Object.entries(counts).reduce((sum, [of, count]) => (of.startsWith(path) ? sum + count : sum), 0);
}
