import { AppError } from '@shelfwise/runtime/errors';
import fc from 'fast-check';
import type { FoundApp } from '../src/sources/source.ts';
import { failureOf, sourceOfPage, toPage, us, waiting } from './ask-app-store.ts';
import { type FakeRow, lookUpFakeApps, searchFakeApps } from './fake-store/fake-apps.ts';

describe('of a page', () => {
  const rows = searchFakeApps('notes', 'US', 10);
  const changed = (place: number, change: Record<string, unknown>) =>
    toPage(rows.map((row, i) => (i === place ? { ...row, ...change } : row)));
  const readPage = (page: unknown) =>
    sourceOfPage(page).source.search(us, 'notes', { limit: 10, onDay: null, ...waiting() });

  test.each([
    ['a song', { wrapperType: 'track', kind: 'song' }, /row 3, wrapperType/],
    ['something else than an app', { kind: 'software-bundle' }, /row 3, kind/],
    ['an id that is text', { trackId: '700000003' }, /row 3, trackId/],
    ['an id beyond exact numbers', { trackId: 2 ** 60 }, /row 3, trackId/],
    ['an id of 0', { trackId: 0 }, /row 3, trackId/],
    ['no name', { trackName: '' }, /row 3, trackName/],
    ['no icon', { artworkUrl512: undefined, artworkUrl100: undefined }, /row 3, artworkUrl512/],
    ['a score above 5', { averageUserRating: 5.1 }, /row 3, averageUserRating/],
    ['a negative number of ratings', { userRatingCount: -1 }, /row 3, userRatingCount/],
    ['no average', { averageUserRating: undefined }, /row 3, averageUserRating/],
    ['no number of ratings', { userRatingCount: undefined }, /row 3, userRatingCount/],
    ['ratings of 0 on average', { averageUserRating: 0, userRatingCount: 7 }, /row 3, averageUserRating/],
  ])('one row with %s fails all of it and is named', async (_, change, place) => {
    const error = await failureOf(readPage(changed(2, change)));
    expect(error).toMatchObject({
      code: 'STORE_FETCH_FAILED',
      message: expect.stringMatching(place),
      cause: { kind: 'malformed' },
    });
  });

  test.each([
    ['no screenshots', { screenshotUrls: undefined }],
    ['no version', { version: undefined }],
    ['no languages', { languageCodesISO2A: undefined }],
  ])('a row with %s, which no search shows, keeps its rank', async (_, change) => {
    const { apps } = await readPage(changed(2, change));
    expect(apps.map(({ appId }) => appId)).toEqual(rows.map(({ trackId }) => String(trackId)));
  });

  test.each([
    ['without a date', { currentVersionReleaseDate: undefined }],
    ['with a date in words', { currentVersionReleaseDate: 'yesterday' }],
    ['with a date that does not exist', { currentVersionReleaseDate: '2026-02-30T07:00:00Z' }],
  ])('a row %s of its newest release has its rank all the same, and no date', async (_, change) => {
    const { apps } = await readPage(changed(2, change));
    const dates = rows.map((row) => new Date(String(row.currentVersionReleaseDate)));
    expect(apps.map(({ updatedAt }) => updatedAt)).toEqual([...dates.slice(0, 2), null, ...dates.slice(3)]);
    expect(apps.map(({ appId }) => appId)).toEqual(rows.map(({ trackId }) => String(trackId)));
  });

  test('the smaller icon serves where the larger is missing', async () => {
    const { apps } = await readPage(changed(0, { artworkUrl512: undefined }));
    expect(apps[0]?.icon).toBe(rows[0]?.artworkUrl100);
  });

  test('an app that is shown twice is one app with the upper rank, and pushes nobody down', async () => {
    const [first, second, third, ...others] = rows;
    const { apps } = await readPage(toPage([first, second, first, third, second, ...others]));
    expect(apps.map(({ appId }) => appId)).toEqual(rows.map(({ trackId }) => String(trackId)));
  });

  test('more rows than were asked for are cut from the end', async () => {
    const { source } = sourceOfPage(toPage(rows));
    const { apps } = await source.search(us, 'notes', { limit: 2, onDay: null, ...waiting() });
    expect(apps.map(({ appId }) => appId)).toEqual(rows.slice(0, 2).map(({ trackId }) => String(trackId)));
  });

  const mutatedPages = fc.oneof(
    mutatedPage(toPage(rows)),
    fc
      .nat({ max: JSON.stringify(toPage(rows)).length - 1 })
      .map((end) => JSON.stringify(toPage(rows)).slice(0, end)),
  );

  test.each([
    ['has no key', undefined],
    ['has another kind of key', 'Games'],
  ])('an app whose genre %s keeps its rank', async (_, primaryGenreId) => {
    const [first, second, ...others] = rows;
    const { apps } = await readPage(toPage([first, { ...second, primaryGenreId }, ...others]));
    expect(apps.map(({ appId }) => appId)).toEqual(rows.map(({ trackId }) => String(trackId)));
    expect(apps.slice(0, 2).map(({ genreKey }) => genreKey)).toEqual([String(first?.primaryGenreId), null]);
  });

  test('damaged in any place, it gives the ranking that it held or fails, never another ranking', async () => {
    const original = await readPage(toPage(rows));
    await fc.assert(
      fc.asyncProperty(mutatedPages, async (body) => {
        const outcome = await readPage(body).catch((error: unknown) => error);
        if (outcome instanceof AppError) {
          expect(outcome).toMatchObject({ code: 'STORE_FETCH_FAILED', cause: { kind: 'malformed' } });
          return;
        }
        const { apps } = outcome as Awaited<ReturnType<typeof readPage>>;
        expect(apps.map(asRanked)).toEqual(original.apps.map(asRanked));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('of a look-up', () => {
  const [row, other] = lookUpFakeApps(['700000001', '700000002'], [], 'US');
  const readPage = (page: unknown, appId = '700000001') =>
    sourceOfPage(page).source.getListing(us, appId, { withSubtitle: false, ...waiting() });

  test.each([
    ['another app', [other]],
    ['several apps', [row, other]],
    ['the app and something else', [row, { wrapperType: 'track', kind: 'song' }]],
    ['something unknown', [{ wrapperType: 'hologram', trackId: 700000001 }]],
  ])('%s is malformed, not the app', async (_, results) => {
    const error = await failureOf(readPage(toPage(results)));
    expect(error).toMatchObject({ code: 'STORE_FETCH_FAILED', cause: { kind: 'malformed' } });
  });

  test.each([
    ['an address that runs code', { trackViewUrl: 'javascript:alert(1)' }, /row 1, trackViewUrl/],
    ['a date that does not exist', { releaseDate: '2026-02-30T07:00:00Z' }, /row 1, releaseDate/],
    ['a date in words', { currentVersionReleaseDate: 'yesterday' }, /row 1, currentVersionReleaseDate/],
    ['a screenshot that is no address', { screenshotUrls: ['x'] }, /row 1, screenshotUrls\.0/],
    ['no date of release', { releaseDate: undefined }, /row 1, releaseDate/],
    ['no date of its version', { currentVersionReleaseDate: undefined }, /row 1, currentVersionReleaseDate/],
    ['no screenshots', { screenshotUrls: undefined }, /row 1, screenshotUrls/],
    ['no languages', { languageCodesISO2A: undefined }, /row 1, languageCodesISO2A/],
    ['no version', { version: undefined }, /row 1, version/],
    ['no currency', { currency: undefined }, /row 1, currency/],
    ['no key of its genre', { primaryGenreId: undefined }, /row 1, primaryGenreId/],
    ['no average', { averageUserRating: undefined }, /row 1, averageUserRating/],
    ['no number of ratings', { userRatingCount: undefined }, /row 1, userRatingCount/],
    [
      'ratings of 0 on average',
      { averageUserRating: 0 },
      /row 1, averageUserRating: 0 on average, of 182340/,
    ],
  ])('a row with %s is an error that names it, never a listing without', async (_, change, place) => {
    const error = await failureOf(readPage(toPage([{ ...row, ...change }])));
    expect(error).toMatchObject({ code: 'STORE_FETCH_FAILED', message: expect.stringMatching(place) });
  });

  test('the same app twice is that app', async () => {
    expect((await readPage(toPage([row, row]))).listing.appId).toBe('700000001');
  });

  test('an id that belongs to a song or a developer is no app: APP_NOT_FOUND', async () => {
    for (const wrapperType of ['track', 'artist']) {
      const error = await failureOf(readPage(toPage([{ wrapperType, artistId: 700000001 }])));
      expect(error).toMatchObject({ code: 'APP_NOT_FOUND' });
    }
  });

  test('a bundle id in another letter case is the same app', async () => {
    const { listing } = await readPage(toPage([row]), 'Example.Invented.App700000001');
    expect(listing).toMatchObject({ appId: '700000001', bundleId: 'example.invented.app700000001' });
  });

  test('damaged in any place, it is the app or a failure, never "not found"', async () => {
    await fc.assert(
      fc.asyncProperty(mutatedPage(toPage([row])), async (body) => {
        const outcome = await readPage(body).catch((error: unknown) => error);
        if (outcome instanceof AppError) expect(outcome.code).toBe('STORE_FETCH_FAILED');
        else expect(outcome).toMatchObject({ listing: { appId: '700000001', title: row?.trackName } });
      }),
      { numRuns: 500 },
    );
  });
});

/** Its icon may be the smaller of two, its date and the key of its genre unread. */
function asRanked({
  icon: _icon,
  updatedAt: _updatedAt,
  genreKey: _genreKey,
  ...row
}: FoundApp): Omit<FoundApp, 'icon' | 'updatedAt' | 'genreKey'> {
  return row;
}

/** The page with one place of it dropped, or of another type; as the text of the answer. */
function mutatedPage(page: { resultCount: number; results: unknown[] }): fc.Arbitrary<string> {
  const places = [
    ['resultCount'],
    ['results'],
    ...page.results.flatMap((row, i) => [
      ['results', String(i)],
      ...Object.keys(row as FakeRow).map((field) => ['results', String(i), field]),
    ]),
  ];
  const values = fc.constantFrom<unknown>(undefined, null, true, {}, [], [null], '', '7', 'x', -1, 0.5);
  return fc
    .tuple(fc.constantFrom(...places), values)
    .map(([place, value]) => replaceAt(structuredClone(page), place, value))
    .filter((mutated) => mutated !== null);
}

/** The page as text with another value in one place; null when that would be no change of type. */
function replaceAt(page: object, place: string[], value: unknown): string | null {
  const last = place.at(-1) ?? '';
  let holder = page as Record<string, unknown>;
  for (const step of place.slice(0, -1)) holder = holder[step] as Record<string, unknown>;
  if (typeOf(holder[last]) === typeOf(value)) return null;
  if (Array.isArray(holder) && value === undefined) holder.splice(Number(last), 1);
  else holder[last] = value;
  return JSON.stringify(page);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
