import { setMaxListeners } from 'node:events';
import { type Collection, categories, collections, isCategory } from '@shelfwise/facts/stores/categories';
import { countries } from '@shelfwise/facts/stores/country';
import { canonicalLanguage } from '@shelfwise/facts/stores/language';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import { forDailyRun, urgent } from '../src/budget/urgency.ts';
import type { Listing, ListingResult, Reading, StoreReads } from '../src/source.ts';

/** Known content of one store. */
export type KnownContent = {
  storefront: Storefront;
  /** A search with at least three results. */
  term: string;
  /** A prefix with suggestions, and one without. */
  prefix: string;
  /** A chart of at least three apps. */
  chart: { category: string; collection: 'free' };
  /** For a stand-in with only a few recordings: the apps' pages and free charts that it has. */
  recorded?: { appIds: readonly string[]; categories: readonly string[] };
};

/** A source under test, and how it may differ from others. */
export type SourceHarness = {
  open(): Promise<{ source: StoreReads; stop(): Promise<void> }>;
  /** The clock of the source. */
  now: () => Date;
  knownContent: Readonly<Record<Store, KnownContent>>;
  /** The source named in answers, by store. */
  answersAs: Readonly<Record<Store, 'sample' | 'app-store' | 'google-play'>>;
  /** Whether it has the pages of earlier days. */
  hasPastDays: boolean;
  /** Whether every country and category is read; otherwise each tenth, because another harness reads all of them. */
  isExhaustive: boolean;
  /** Whether an empty result page is an answer at the first look. */
  believesEmptyPages: boolean;
};

const unproven = { code: 'STORE_FETCH_FAILED' };
const toFailure = ({ code }: AppError) => ({ code });

const options = { signal: new AbortController().signal, urgency: urgent };
// Many tests read many storefronts at a time with it; Node warns above ten listeners.
setMaxListeners(0, options.signal);
const onItsDay = { ...options, onDay: null };
const withSubtitle = { ...options, withSubtitle: true };

/** The guarantees for callers of a store, with any source. */
export function describeSource(name: string, harness: SourceHarness): void {
  describe(name, () => {
    let opened: Awaited<ReturnType<SourceHarness['open']>>;
    beforeAll(async () => {
      opened = await harness.open();
    });
    afterAll(() => opened?.stop());

    describe.each(stores)('%s', (store) => describeStore(store, harness, () => opened.source));
  });
}

function describeStore(store: Store, harness: SourceHarness, getSource: () => StoreReads): void {
  const { storefront, term, prefix, chart, recorded } = harness.knownContent[store];
  const startedAt = harness.now();
  const every = harness.isExhaustive ? 'every' : 'each tenth';
  const select = <Item>(items: readonly Item[]) =>
    items.filter((_, index) => harness.isExhaustive || index % 10 === 0);
  /** Every answer names its source and the read time, which is after the start of these tests and not in the future. */
  const expectReading = ({ readAt, source }: Reading) => {
    expect(source).toBe(harness.answersAs[store]);
    expect(readAt.getTime()).toBeGreaterThanOrEqual(startedAt.getTime());
    expect(readAt.getTime()).toBeLessThanOrEqual(harness.now().getTime());
  };
  const search = (words: string, limit: number, where = storefront) =>
    getSource().search(where, words, { ...onItsDay, limit });
  const getListing = async (appId: string) =>
    (await getSource().getListing(storefront, appId, withSubtitle)).listing;
  const knownIds = async () => recorded?.appIds ?? (await search(term, 3)).apps.map((app) => app.app_id);
  const getChart = (wanted: { category: string; collection: Collection }, limit: number) =>
    getSource().chart(storefront, { ...wanted, limit }, options);

  describe('search', () => {
    test('a lower limit returns the start of the same page', async () => {
      const page = await search(term, 50);
      const start = await search(term, 3);
      expect(start.apps).toHaveLength(3);
      expect(start.apps).toEqual(page.apps.slice(0, 3));
      expect(page.apps.length).toBeLessThanOrEqual(50);
    });

    test('the same request on the same day has the same answer', async () => {
      expect((await search(term, 200)).apps).toEqual((await search(term, 200)).apps);
    });

    test('a page has its read time and source, and no app twice', async () => {
      const { apps, ...reading } = await search(term, 200);
      expectReading(reading);
      expect(new Set(apps.map((app) => app.app_id)).size).toBe(apps.length);
    });

    test('every row has an identifier of its store, a title, an icon and a developer; what the store does not say is null', async () => {
      const { apps } = await search(term, 200);
      for (const app of apps) {
        expect(app).toEqual({
          app_id: expect.stringMatching(appIdShapes[store]),
          title: expect.stringMatching(/\S/),
          icon: expect.stringMatching(address),
          developer_name: expect.stringMatching(/\S/),
          genre: store === 'ITUNES' ? expect.stringMatching(/\S/) : null,
          genre_key: store === 'ITUNES' ? expect.stringMatching(/^\d{4,5}$/) : null,
          score: app.score === null ? null : expect.any(Number),
          ratings: store === 'ITUNES' && app.ratings !== null ? expect.any(Number) : null,
          updated_at: store === 'ITUNES' ? app.updated_at : null,
        });
        checkRating(app);
        checkDate(app.updated_at);
      }
    });

    test('a search without results is an empty list, or not believed at the first look', async () => {
      const answer = search('zzqxjv wwqkk', 10);
      if (!harness.believesEmptyPages) return expect(answer).rejects.toMatchObject(unproven);
      const { apps, ...reading } = await answer;
      expectReading(reading);
      expect(apps).toEqual([]);
    });

    test.each(['写真 編集', 'محرر الصور', '🎧 "music" & more', '50% off + ?#/=', 'a\ud800b', "l'été\u0000"])(
      'the term %j works like any other',
      async (words) => {
        const answer = search(words, 10).then(({ apps }) => ({ isList: Array.isArray(apps) }));
        if (harness.believesEmptyPages) expect(await answer).toEqual({ isList: true });
        else expect([{ isList: true }, unproven]).toContainEqual(await answer.catch(toFailure));
      },
    );

    test(
      `${every} country of the store has an answer`,
      async () => {
        const requested = select([...countries[store]]).map(async (country) => {
          const { apps } = await search(term, 3, { ...storefront, country });
          expect([country, Array.isArray(apps)]).toEqual([country, true]);
        });
        await Promise.all(requested);
      },
      manyRequestsMs,
    );

    test.each([
      'en',
      'pt-BR',
      'es-419',
      'zh-Hans',
      'zh-Hant-HK',
      'ar',
      'he',
      'sr-Latn',
      'nb',
      'fil',
      'is',
      'yue',
    ])('the language %s has an answer', async (lang) => {
      expect(canonicalLanguage(lang)).toBe(lang);
      expect(Array.isArray((await search(term, 3, { ...storefront, lang })).apps)).toBe(true);
    });

    test('the daily run gets the same answers as urgent callers', async () => {
      const daily = { ...onItsDay, urgency: forDailyRun, limit: 10 };
      const { apps } = await getSource().search(storefront, term, daily);
      expect(apps).toEqual((await search(term, 10)).apps);
    });
  });

  describe('the page of another day', () => {
    const searchOn = (onDay: string) =>
      getSource().search(storefront, term, { ...options, limit: 10, onDay });
    const yesterday = new Date(startedAt.getTime() - 86_400_000).toISOString().slice(0, 10);
    const tomorrow = new Date(startedAt.getTime() + 86_400_000).toISOString().slice(0, 10);

    const wrongDay = {
      code: 'INVALID_PARAMS',
      details: { issues: { fieldErrors: { on_day: [expect.any(String)] } } },
    };

    if (harness.hasPastDays)
      test('of yesterday has the read time of that day', async () => {
        const { readAt, apps } = await searchOn(yesterday);
        expect(readAt.toISOString().slice(0, 10)).toBe(yesterday);
        expect(apps.length).toBeGreaterThan(0);
      });
    else
      test('is refused, never answered with the current page', async () => {
        await expect(searchOn(yesterday)).rejects.toMatchObject(wrongDay);
      });

    test('of a future day is refused', async () => {
      await expect(searchOn(tomorrow)).rejects.toMatchObject(wrongDay);
    });
  });

  describe('listing', () => {
    test('every field has its type and range, and is null where the store does not say', async () => {
      for (const appId of await knownIds()) checkListing(await getListing(appId), store);
    });

    test('a listing has its read time and source', async () => {
      const [appId = ''] = await knownIds();
      expectReading(await getSource().getListing(storefront, appId, withSubtitle));
    });

    test('the subtitle is a text when requested, empty if the app has none', async () => {
      for (const appId of await knownIds()) {
        const { subtitle, ...listing } = await getListing(appId);
        expect(subtitle).toEqual(expect.any(String));
        const requested = getSource().getListing(storefront, appId, { ...options, withSubtitle: false });
        expect((await requested).listing).toMatchObject(withoutDates(listing));
      }
    });

    if (store === 'ITUNES')
      test('the number, the number with leading zeros and the bundle id return the same app', async () => {
        const [appId = ''] = await knownIds();
        const listing = await getListing(appId);
        const { bundle_id: bundleId } = listing;
        expect(listing.app_id).toBe(appId);
        for (const spelling of [`000${appId}`, bundleId ?? ''])
          expect(await getListing(spelling)).toMatchObject({
            app_id: appId,
            bundle_id: bundleId,
            title: listing.title,
          });
      });
    else
      test('the package name is both identifiers', async () => {
        const [appId = ''] = await knownIds();
        expect(await getListing(appId)).toMatchObject({ app_id: appId, bundle_id: appId });
      });

    test.each(unknownIds)('an app %j that the storefront does not have is APP_NOT_FOUND', async (appId) => {
      await expect(getListing(appId)).rejects.toMatchObject({ code: 'APP_NOT_FOUND' });
    });
  });

  describe('listings', () => {
    const getListings = (appIds: readonly string[], freshSince: Date | null = null) =>
      getSource().getListings(storefront, appIds, { ...withSubtitle, freshSince });

    test('are in the order of the request, each as if requested alone; a missing app does not affect the others', async () => {
      const ids = await knownIds();
      const requested = [...ids].reverse().flatMap((appId, index) => [appId, unknownIds[index] ?? '']);
      const results = await getListings(requested);
      expect(results.map(({ appId }) => appId)).toEqual(requested);
      for (const { appId, outcome } of results) {
        if (unknownIds.includes(appId)) expect(outcome).toMatchObject({ code: 'APP_NOT_FOUND' });
        else {
          const { listing, ...reading } = found(outcome);
          expectReading(reading);
          expect(listing).toMatchObject(withoutDates(await getListing(appId)));
        }
      }
    });

    test('may be twenty in one request', async () => {
      const [appId = ''] = await knownIds();
      const strangers = Array.from({ length: 19 }, (_, index) => `example.no.such.app${index}`);
      const results = await getListings([...strangers, appId]);
      expect(results.filter(({ outcome }) => !(outcome instanceof AppError))).toHaveLength(1);
      expect(found(results[19]?.outcome).listing.app_id).toBe(appId);
    });

    if (store === 'ITUNES')
      test('are returned for both of two spellings of one app', async () => {
        const [appId = ''] = await knownIds();
        const bundleId = (await getListing(appId)).bundle_id ?? '';
        const results = await getListings([bundleId, appId]);
        expect(results.map((result) => result.appId)).toEqual([bundleId, appId]);
        expect(results.map(({ outcome }) => found(outcome).listing.app_id)).toEqual([appId, appId]);
      });

    test('are never older than the given time', async () => {
      const appIds = (await knownIds()).slice(0, 1);
      await getListings(appIds);
      const freshSince = harness.now();
      const [result] = await getListings(appIds, freshSince);
      expect(found(result?.outcome).readAt.getTime()).toBeGreaterThanOrEqual(freshSince.getTime());
    });
  });

  describe('suggestions', () => {
    const suggest = (text: string) => getSource().suggest(storefront, text, options);

    test('are distinct terms that start with the prefix, no more than the store shows', async () => {
      const { terms, ...reading } = await suggest(prefix);
      expectReading(reading);
      if (terms === null) throw new Error('no suggestions');
      expect(terms.length).toBeGreaterThan(0);
      expect(terms.length).toBeLessThanOrEqual(store === 'ITUNES' ? 10 : 5);
      expect(new Set(terms).size).toBe(terms.length);
      for (const suggested of terms) expect(suggested.startsWith(prefix)).toBe(true);
    });

    test('are an empty list for a prefix that no search starts with', async () => {
      const { terms, ...reading } = await suggest('zzqxjv');
      expectReading(reading);
      expect(terms).toEqual([]);
    });

    test.each(['写', '🦄', '"photo" & more', 'l’été', 'a\ud800b', 'back\\slash"', 'new\nline'])(
      'the prefix %j has an answer',
      async (text) => {
        const { terms } = await suggest(text);
        expect(terms === null || Array.isArray(terms)).toBe(true);
      },
    );
  });

  describe('chart', () => {
    test('has each app once, in rank order; a lower limit returns its start', async () => {
      const { apps, ...reading } = await getChart(chart, 200);
      expectReading(reading);
      expect(apps.length).toBeGreaterThanOrEqual(3);
      expect(apps.length).toBeLessThanOrEqual(store === 'ITUNES' ? 100 : 200);
      expect(new Set(apps.map((app) => app.app_id)).size).toBe(apps.length);
      expect((await getChart(chart, 3)).apps).toEqual(apps.slice(0, 3));
    });

    test('every row has an identifier of its store, a title, an icon and a developer, and a free app costs nothing', async () => {
      for (const app of (await getChart(chart, 200)).apps) {
        expect(app).toEqual({
          app_id: expect.stringMatching(appIdShapes[store]),
          title: expect.stringMatching(/\S/),
          icon: expect.stringMatching(address),
          developer_name: expect.stringMatching(/\S/),
          score: app.score === null ? null : expect.any(Number),
          price: app.price === null ? null : 0,
          currency: app.currency === null ? null : expect.stringMatching(currencyCode),
        });
        checkScore(app.score);
      }
    });

    const ofTheOther = store === 'ITUNES' ? 'GAME' : '6014';
    test.each(['', 'NO_SUCH_CATEGORY', '9999', '../../search', 'overall', '__proto__', ofTheOther])(
      'the category %j, which the store does not have, is refused',
      async (category) => {
        const requested = getChart({ category, collection: 'free' }, 3);
        await expect(requested).rejects.toMatchObject({
          code: 'INVALID_PARAMS',
          details: { issues: { fieldErrors: { category: [expect.any(String)] } } },
        });
      },
    );

    test(
      `${every} category of the store can be requested`,
      async () => {
        const keys = recorded?.categories ?? select(categories[store].map(({ key }) => key));
        const requested: readonly Collection[] = recorded ? ['free'] : collections;
        const charts = keys.flatMap((category) => requested.map((collection) => ({ category, collection })));
        const shown = charts.map(async (wanted) => {
          const { apps } = await getChart(wanted, 3);
          expect([wanted, apps.length <= 3]).toEqual([wanted, true]);
          if (wanted.collection === 'paid') expect(apps.filter(({ price }) => price === 0)).toEqual([]);
        });
        await Promise.all(shown);
      },
      manyRequestsMs,
    );
  });

  describe('a caller that has given up', () => {
    const reason = new Error('gone');
    const gone = { urgency: urgent, signal: AbortSignal.abort(reason) };
    const questions: Record<string, (source: StoreReads, appId: string) => Promise<unknown>> = {
      search: (source) => source.search(storefront, term, { ...gone, limit: 3, onDay: null }),
      listing: (source, appId) => source.getListing(storefront, appId, { ...gone, withSubtitle: true }),
      listings: (source, appId) =>
        source.getListings(storefront, [appId], { ...gone, withSubtitle: true, freshSince: null }),
      suggestions: (source) => source.suggest(storefront, prefix, gone),
      chart: (source) => source.chart(storefront, { ...chart, limit: 3 }, gone),
    };

    test.each(Object.keys(questions))('gets no %s: it rejects with the given reason', async (question) => {
      // A new source, because a cached answer may be returned.
      const fresh = await harness.open();
      const requested = (await knownIds()).map((appId) => questions[question]?.(fresh.source, appId));
      const outcomes = await Promise.allSettled(requested);
      await fresh.stop();
      expect(outcomes.length).toBeGreaterThan(0);
      for (const outcome of outcomes) expect(outcome).toEqual({ status: 'rejected', reason });
    });
  });
}

/** For tests that make hundreds of requests, on a busy machine. */
const manyRequestsMs = 60_000;
const appIdShapes = { ITUNES: /^[1-9]\d*$/, GPLAY: /^[A-Za-z]\w*(\.\w+)+$/ } as const;
const address = /^https?:\/\/\S+$/;
const currencyCode = /^[A-Z]{3}$/;
const unknownIds = [
  '1',
  'example.no.such.app',
  '99999999999999999999',
  'a,b',
  'no app has blanks',
  '🦄',
  '../x',
  '',
  '0',
  '__proto__',
];

/** A stand-in may compute dates from the time of the call. */
function withoutDates({ released_at: _r, updated_at: _u, ...same }: Omit<Listing, 'subtitle'>) {
  return same;
}

function found(outcome: ListingResult['outcome'] | undefined): Exclude<ListingResult['outcome'], AppError> {
  if (outcome === undefined || outcome instanceof AppError) throw outcome ?? new Error('no such result');
  return outcome;
}

function checkListing(listing: Listing, store: Store): void {
  const orNull = (value: unknown, shape: unknown) => (value === null ? null : shape);
  expect(listing).toEqual({
    app_id: expect.stringMatching(appIdShapes[store]),
    bundle_id: expect.stringMatching(/^[\w.-]+$/),
    title: expect.stringMatching(/\S/),
    subtitle: expect.any(String),
    description: expect.any(String),
    url: expect.stringMatching(address),
    icon: expect.stringMatching(address),
    screenshots: expect.any(Array),
    developer_name: expect.stringMatching(/\S/),
    genre: expect.stringMatching(/\S/),
    genre_key: orNull(listing.genre_key, expect.any(String)),
    version: orNull(listing.version, expect.stringMatching(/\S/)),
    score: orNull(listing.score, expect.any(Number)),
    ratings: orNull(listing.ratings, expect.any(Number)),
    price: orNull(listing.price, expect.any(Number)),
    currency: orNull(listing.currency, expect.stringMatching(currencyCode)),
    installs: store === 'ITUNES' ? null : orNull(listing.installs, expect.any(Number)),
    languages: expect.any(Array),
    has_video: orNull(listing.has_video, expect.any(Boolean)),
    released_at: orNull(listing.released_at, expect.any(Date)),
    updated_at: orNull(listing.updated_at, expect.any(Date)),
    unreadable: [],
  } satisfies Record<keyof Listing, unknown>);
  checkRating(listing);
  expect(listing.price ?? 0).toBeGreaterThanOrEqual(0);
  expect(Number.isSafeInteger(listing.installs ?? 0)).toBe(true);
  if (listing.genre_key !== null) expect(isCategory(store, listing.genre_key)).toBe(true);
  for (const screenshot of listing.screenshots) expect(screenshot).toMatch(address);
  for (const language of listing.languages)
    expect([language, canonicalLanguage(language)]).toEqual([language, language]);
  checkDate(listing.released_at);
  checkDate(listing.updated_at);
}

/** A cached Date belongs to another realm than the test's, so its class cannot be checked. */
function checkDate(date: Date | null): void {
  if (date !== null) expect(date.getTime()).toBeGreaterThan(Date.parse('2008-01-01'));
}

/** The lowest rating is 1, and an app without ratings has no average. */
function checkRating({ score, ratings }: { score: number | null; ratings: number | null }): void {
  checkScore(score);
  if (ratings === null) return;
  expect(Number.isSafeInteger(ratings) && ratings >= 0).toBe(true);
  if (ratings === 0) expect(score).toBeNull();
}

function checkScore(score: number | null): void {
  if (score !== null) expect(score >= 1 && score <= 5).toBe(true);
}
