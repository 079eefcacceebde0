import { AppError } from '@shelfwise/runtime/errors';
import fc from 'fast-check';
import type { FoundApp } from '../src/source.ts';
import { failureOf, sourceOfPage, toPage, us, waiting } from './create-app-store-source.ts';
import { type FakeRow, lookUpFakeApps, searchFakeApps } from './fake-store/fake-apps.ts';

describe('a search page', () => {
  const rows = searchFakeApps('notes', 'US', 10);
  const changed = (place: number, change: Record<string, unknown>) =>
    toPage(rows.map((row, i) => (i === place ? { ...row, ...change } : row)));
  const readPage = (page: unknown) =>
    sourceOfPage(page).source.search(us, 'notes', { limit: 10, ...waiting() });

  test.each([
    ['a song', { wrapperType: 'track', kind: 'song' }, /row 3, wrapperType/],
    ['content other than an app', { kind: 'software-bundle' }, /row 3, kind/],
    ['an id that is text', { trackId: '700000003' }, /row 3, trackId/],
    ['an id that is not a safe integer', { trackId: 2 ** 60 }, /row 3, trackId/],
    ['an id of 0', { trackId: 0 }, /row 3, trackId/],
    ['no name', { trackName: '' }, /row 3, trackName/],
    ['no icon', { artworkUrl512: undefined, artworkUrl100: undefined }, /row 3, artworkUrl512/],
    ['a score above 5', { averageUserRating: 5.1 }, /row 3, averageUserRating/],
    ['a negative number of ratings', { userRatingCount: -1 }, /row 3, userRatingCount/],
    ['no average', { averageUserRating: undefined }, /row 3, averageUserRating/],
    ['no number of ratings', { userRatingCount: undefined }, /row 3, userRatingCount/],
    ['ratings of 0 on average', { averageUserRating: 0, userRatingCount: 7 }, /row 3, averageUserRating/],
  ])('fails for one row with %s, and the message names the field', async (_, change, place) => {
    const error = await failureOf(readPage(changed(2, change)));
    expect(error).toMatchObject({
      code: 'STORE_FETCH_FAILED',
      message: expect.stringMatching(/^The App Store sent an answer that Shelfwise cannot read\./),
      cause: { kind: 'malformed', message: expect.stringMatching(place) },
    });
  });

  test.each([
    ['no screenshots', { screenshotUrls: undefined }],
    ['no version', { version: undefined }],
    ['no languages', { languageCodesISO2A: undefined }],
  ])('ranks a row with %s, which no search shows', async (_, change) => {
    const { apps } = await readPage(changed(2, change));
    expect(apps.map((app) => app.app_id)).toEqual(rows.map(({ trackId }) => String(trackId)));
  });

  test.each([
    ['without a date', { currentVersionReleaseDate: undefined }],
    ['with a date in words', { currentVersionReleaseDate: 'yesterday' }],
    ['with a date that does not exist', { currentVersionReleaseDate: '2026-02-30T07:00:00Z' }],
  ])('ranks a row %s of its newest release, without the date', async (_, change) => {
    const { apps } = await readPage(changed(2, change));
    const dates = rows.map((row) => new Date(String(row.currentVersionReleaseDate)));
    expect(apps.map((app) => app.updated_at)).toEqual([...dates.slice(0, 2), null, ...dates.slice(3)]);
    expect(apps.map((app) => app.app_id)).toEqual(rows.map(({ trackId }) => String(trackId)));
  });

  test('uses the smaller icon where the larger one is missing', async () => {
    const { apps } = await readPage(changed(0, { artworkUrl512: undefined }));
    expect(apps[0]?.icon).toBe(rows[0]?.artworkUrl100);
  });

  test('ranks a repeated app once, at its upper rank, without lowering other ranks', async () => {
    const [first, second, third, ...others] = rows;
    const { apps } = await readPage(toPage([first, second, first, third, second, ...others]));
    expect(apps.map((app) => app.app_id)).toEqual(rows.map(({ trackId }) => String(trackId)));
  });

  test('drops rows beyond the requested limit', async () => {
    const { source } = sourceOfPage(toPage(rows));
    const { apps } = await source.search(us, 'notes', { limit: 2, ...waiting() });
    expect(apps.map((app) => app.app_id)).toEqual(rows.slice(0, 2).map(({ trackId }) => String(trackId)));
  });

  const mutatedPages = fc.oneof(
    mutatedPage(toPage(rows)),
    fc
      .nat({ max: JSON.stringify(toPage(rows)).length - 1 })
      .map((end) => JSON.stringify(toPage(rows)).slice(0, end)),
  );

  test.each([
    ['has no key', undefined],
    ['has a key of another type', 'Games'],
  ])('ranks an app whose genre %s', async (_, primaryGenreId) => {
    const [first, second, ...others] = rows;
    const { apps } = await readPage(toPage([first, { ...second, primaryGenreId }, ...others]));
    expect(apps.map((app) => app.app_id)).toEqual(rows.map(({ trackId }) => String(trackId)));
    expect(apps.slice(0, 2).map((app) => app.genre_key)).toEqual([String(first?.primaryGenreId), null]);
  });

  test('returns its own ranking or fails, wherever it is damaged; never another ranking', async () => {
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
    );
  });
});

describe('a look-up', () => {
  const [row, other] = lookUpFakeApps(['700000001', '700000002'], [], 'US');
  const readPage = (page: unknown, appId = '700000001') =>
    sourceOfPage(page).source.getListing(us, appId, { withSubtitle: false, ...waiting() });

  test.each([
    ['another app', [other]],
    ['several apps', [row, other]],
    ['the app and other content', [row, { wrapperType: 'track', kind: 'song' }]],
    ['something unknown', [{ wrapperType: 'hologram', trackId: 700000001 }]],
  ])('is malformed if it returns %s', async (_, results) => {
    const error = await failureOf(readPage(toPage(results)));
    expect(error).toMatchObject({ code: 'STORE_FETCH_FAILED', cause: { kind: 'malformed' } });
  });

  test.each([
    ['an address that runs code', { trackViewUrl: 'javascript:alert(1)' }, /row 1, trackViewUrl/],
    ['a date that does not exist', { releaseDate: '2026-02-30T07:00:00Z' }, /row 1, releaseDate/],
    ['a date in words', { currentVersionReleaseDate: 'yesterday' }, /row 1, currentVersionReleaseDate/],
    ['a screenshot that is not an address', { screenshotUrls: ['x'] }, /row 1, screenshotUrls\.0/],
    ['no release date', { releaseDate: undefined }, /row 1, releaseDate/],
    ['no date of its version', { currentVersionReleaseDate: undefined }, /row 1, currentVersionReleaseDate/],
    ['no screenshots', { screenshotUrls: undefined }, /row 1, screenshotUrls/],
    ['no languages', { languageCodesISO2A: undefined }, /row 1, languageCodesISO2A/],
    ['no version', { version: undefined }, /row 1, version/],
    ['no currency', { currency: undefined }, /row 1, currency/],
    ['no genre key', { primaryGenreId: undefined }, /row 1, primaryGenreId/],
    ['no average', { averageUserRating: undefined }, /row 1, averageUserRating/],
    ['no number of ratings', { userRatingCount: undefined }, /row 1, userRatingCount/],
    [
      'ratings of 0 on average',
      { averageUserRating: 0 },
      /row 1, averageUserRating: 0 on average, of 182340/,
    ],
  ])('fails for a row with %s, names the field, and never leaves it out', async (_, change, place) => {
    const error = await failureOf(readPage(toPage([{ ...row, ...change }])));
    const cause = { kind: 'malformed', message: expect.stringMatching(place) };
    expect(error).toMatchObject({ code: 'STORE_FETCH_FAILED', cause });
  });

  test('accepts the same app twice', async () => {
    expect((await readPage(toPage([row, row]))).listing.app_id).toBe('700000001');
  });

  test('reports an id that belongs to a song or a developer as APP_NOT_FOUND', async () => {
    for (const wrapperType of ['track', 'artist']) {
      const error = await failureOf(readPage(toPage([{ wrapperType, artistId: 700000001 }])));
      expect(error).toMatchObject({ code: 'APP_NOT_FOUND' });
    }
  });

  test('finds a bundle id in any letter case', async () => {
    const { listing } = await readPage(toPage([row]), 'Example.Invented.App700000001');
    expect(listing).toMatchObject({ app_id: '700000001', bundle_id: 'example.invented.app700000001' });
  });

  test('returns the app or fails, wherever the page is damaged; never APP_NOT_FOUND', async () => {
    await fc.assert(
      fc.asyncProperty(mutatedPage(toPage([row])), async (body) => {
        const outcome = await readPage(body).catch((error: unknown) => error);
        if (outcome instanceof AppError) expect(outcome.code).toBe('STORE_FETCH_FAILED');
        else expect(outcome).toMatchObject({ listing: { app_id: '700000001', title: row?.trackName } });
      }),
    );
  });
});

/** The fields that a ranking depends on: the icon may be the smaller one, and date and genre key may be unread. */
function asRanked({
  icon: _icon,
  updated_at: _updatedAt,
  genre_key: _genreKey,
  ...row
}: FoundApp): Omit<FoundApp, 'icon' | 'updated_at' | 'genre_key'> {
  return row;
}

/** The text of the page with one value dropped or replaced by one of another type. */
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

/** The text of the page with one value replaced; null if the type would stay the same. */
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
