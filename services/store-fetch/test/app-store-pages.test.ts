import { AppError } from '@shelfwise/runtime/errors';
import fc from 'fast-check';
import type { FoundApp, Listing } from '../src/source.ts';
import { failureOf, sourceOfPage, toPage, us, waiting } from './create-app-store-source.ts';
import { type FakeRow, lookUpFakeApps, searchFakeApps } from './fake-store/fake-apps.ts';

describe('a search page', () => {
  const rows = searchFakeApps('notes', 'US', 10);
  const changed = (index: number, change: Record<string, unknown>) =>
    toPage(rows.map((row, i) => (i === index ? { ...row, ...change } : row)));
  const readPage = (page: unknown) =>
    sourceOfPage(page).source.search(us, 'notes', { limit: 10, ...waiting() });

  test.each([
    ['a song', { wrapperType: 'track', kind: 'song' }, /row 3, wrapperType/],
    ['content other than an app', { kind: 'software-bundle' }, /row 3, kind/],
    ['an id that is text', { trackId: '700000003' }, /row 3, trackId/],
    ['an id that is not a safe integer', { trackId: 2 ** 60 }, /row 3, trackId/],
    ['an id of 0', { trackId: 0 }, /row 3, trackId/],
  ])('fails for one row with %s, and the message names the field', async (_, change, field) => {
    const error = await failureOf(readPage(changed(2, change)));
    expect(error).toMatchObject({
      code: 'STORE_FETCH_FAILED',
      message: expect.stringMatching(/^The App Store sent an answer that Shelfwise cannot read\./),
      cause: { kind: 'malformed', message: expect.stringMatching(field) },
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

  const ids = rows.map(({ trackId }) => String(trackId));
  /** Without a value, null, or of a wrong type; each field has further odd values of its own. */
  const oddValues = [undefined, null, true, {}, [], [null], 'x', '', -1, 0.5];

  test.each<[string, keyof FoundApp, unknown[]]>([
    ['trackName', 'title', [7]],
    ['artistName', 'developer_name', [7]],
    ['primaryGenreName', 'genre', [7]],
    ['averageUserRating', 'score', [5.1, 'many']],
    ['userRatingCount', 'ratings', ['many']],
    ['primaryGenreId', 'genre_key', ['Games', 0]],
    ['currentVersionReleaseDate', 'updated_at', ['yesterday', '2026-02-30T07:00:00Z', 7]],
  ])('a row whose %s is missing or odd keeps its rank, with null for it', async (key, field, odd) => {
    const whole = await readPage(toPage(rows));
    expect(whole.apps[2]?.[field]).not.toBeNull();
    const isText = ['title', 'developer_name', 'genre'].includes(field);
    for (const value of [...oddValues.filter((value) => !isText || value !== 'x'), ...odd]) {
      const { apps } = await readPage(changed(2, { [key]: value }));
      expect(apps).toEqual(whole.apps.map((app, i) => (i === 2 ? { ...app, [field]: null } : app)));
    }
  });

  test('a row without version and description, without an icon, or with ratings of 0 on average keeps its rank', async () => {
    const whole = await readPage(toPage(rows));
    expect(await readPage(changed(1, { version: undefined, description: undefined }))).toEqual(whole);
    const { apps } = await readPage(changed(2, { artworkUrl512: 7, artworkUrl100: undefined }));
    expect([apps.map((app) => app.app_id), apps[2]?.icon]).toEqual([ids, null]);
    const odd = await readPage(changed(2, { averageUserRating: 0, userRatingCount: 7 }));
    expect(odd.apps[2]).toMatchObject({ score: null, ratings: 7 });
  });

  test('titles and developers have their character references decoded once', async () => {
    const { apps } = await readPage(
      changed(0, { trackName: 'Salt &amp;amp; Ember', artistName: 'A &#38; B' }),
    );
    expect(apps[0]).toMatchObject({ title: 'Salt &amp; Ember', developer_name: 'A & B' });
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
        expect(apps.map((app) => app.app_id)).toEqual(original.apps.map((app) => app.app_id));
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

  test.each<[string, keyof Listing, unknown[]]>([
    ['trackName', 'title', ['']],
    ['bundleId', 'bundle_id', ['']],
    ['description', 'description', ['x'.repeat(50_001)]],
    ['trackViewUrl', 'url', ['javascript:alert(1)']],
    ['artistName', 'developer_name', ['']],
    ['primaryGenreName', 'genre', ['']],
    ['primaryGenreId', 'genre_key', ['Games']],
    ['version', 'version', []],
    ['averageUserRating', 'score', [5.1, 0]],
    ['userRatingCount', 'ratings', [-1, 'many']],
    ['currency', 'currency', ['dollars']],
    ['releaseDate', 'released_at', ['2026-02-30T07:00:00Z']],
    ['currentVersionReleaseDate', 'updated_at', ['yesterday']],
    ['screenshotUrls', 'screenshots', [['x'], 'x']],
    ['languageCodesISO2A', 'languages', ['EN']],
  ])('with a missing or odd %s has null or an empty list for it, and says so', async (key, field, odd) => {
    const { listing: whole } = await readPage(toPage([row]));
    const isList = field === 'screenshots' || field === 'languages';
    const empty = isList ? [] : null;
    const values = [undefined, null, true, {}, ...(isList ? [] : [[]]), ...odd];
    for (const value of values) {
      const { listing } = await readPage(toPage([{ ...row, [key]: value }]));
      expect(listing).toEqual({ ...whole, [field]: empty, unreadable: [field] });
    }
  });

  test('says nothing about a missing price or an empty version, which some apps have', async () => {
    const { listing } = await readPage(toPage([{ ...row, price: undefined, version: '' }]));
    expect(listing).toMatchObject({ price: null, version: null, unreadable: [] });
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
        else expect(outcome).toMatchObject({ listing: { app_id: '700000001' } });
      }),
    );
  });
});

/** The text of the page with one value dropped or replaced by one of another type. */
function mutatedPage(page: { resultCount: number; results: unknown[] }): fc.Arbitrary<string> {
  const paths = [
    ['resultCount'],
    ['results'],
    ...page.results.flatMap((row, i) => [
      ['results', String(i)],
      ...Object.keys(row as FakeRow).map((field) => ['results', String(i), field]),
    ]),
  ];
  const values = fc.constantFrom<unknown>(undefined, null, true, {}, [], [null], '', '7', 'x', -1, 0.5);
  return fc
    .tuple(fc.constantFrom(...paths), values)
    .map(([path, value]) => replaceAt(structuredClone(page), path, value))
    .filter((mutated) => mutated !== null);
}

/** The text of the page with one value replaced; null if the type would stay the same. */
function replaceAt(page: object, path: string[], value: unknown): string | null {
  const last = path.at(-1) ?? '';
  let holder = page as Record<string, unknown>;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string, unknown>;
  if (typeOf(holder[last]) === typeOf(value)) return null;
  if (Array.isArray(holder) && value === undefined) holder.splice(Number(last), 1);
  else holder[last] = value;
  return JSON.stringify(page);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
