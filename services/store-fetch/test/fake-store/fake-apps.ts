import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of an answer, in the store's own shape. */
export type FakeRow = Record<string, unknown> & {
  trackId: number;
  bundleId: string;
  trackName: string;
  artistName: string;
  description: string;
  artworkUrl100: string;
  primaryGenreId: number;
  primaryGenreName: string;
  trackViewUrl: string;
  price: number;
  formattedPrice: string;
  currency: string;
  userRatingCount: number;
};

type Invented = {
  name: string;
  developer: string;
  genre: string;
  /** The store's number of it. */
  genre_id: number;
  about: string;
  /** Average and number; absent: the app has no ratings. */
  rated?: readonly [average: number, count: number];
  /** Shown only on the app's web page; absent: the app has none. */
  subtitle?: string;
  /** In dollars; absent: free. */
  price?: number;
  /** Sold only in these countries. */
  onlyIn?: readonly string[];
  /** Fields that differ from the usual row. */
  unlike?: Record<string, unknown>;
};

const image = (id: number, name: string) => `https://images.example/${id}/${name}.png`;

/** All apps, developers and numbers are invented. The order is the order of search results. */
const invented: readonly Invented[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'app-store-apps.json'), 'utf8'),
);

/** Apps with every word of the term in their name or description. */
export function searchFakeApps(term: string, country: string, limit: number): FakeRow[] {
  const words = wordsOf(term);
  if (words.length === 0) return [];
  return rowsOf(country)
    .filter((row) => words.every((word) => wordsOf(`${row.trackName} ${row.description}`).includes(word)))
    .slice(0, limit);
}

/** The results of a look-up of one or several apps, as in the store. */
export function lookUpFakeApps(
  ids: readonly string[],
  bundleIds: readonly string[],
  country: string,
): FakeRow[] {
  const names = bundleIds.map((bundleId) => bundleId.toLowerCase());
  return rowsOf(country).filter(
    (row) => ids.includes(String(row.trackId)) || names.includes(row.bundleId.toLowerCase()),
  );
}

/** The rows of a top chart, by number of ratings. */
export function chartFakeApps(
  feed: { collection: string; genre: number | null; limit: number },
  country: string,
): FakeRow[] {
  const isShown = (row: FakeRow) =>
    (feed.genre === null || row.primaryGenreId === feed.genre) &&
    (feed.collection === 'grossing' || (feed.collection === 'paid') === row.price > 0);
  return rowsOf(country)
    .filter(isShown)
    .sort((one, other) => other.userRatingCount - one.userRatingCount)
    .slice(0, Math.min(100, feed.limit));
}

/** The completions of a prefix: words and pairs of words from the apps' names. */
export function suggestFakeTerms(prefix: string, country: string): string[] {
  const start = wordsOf(prefix).join(' ');
  if (start === '') return [];
  const phrases = rowsOf(country).flatMap(({ trackName }) => {
    const words = wordsOf(trackName);
    return words.flatMap((word, i) => [word, words.slice(i, i + 2).join(' ')]);
  });
  return [...new Set(phrases)].filter((phrase) => phrase.startsWith(start)).slice(0, 10);
}

/**
 * An app's web page: its row and the subtitle, which the row does not have; null where the storefront does not have
 * the app.
 */
export function findFakePage(id: number, country: string): { row: FakeRow; subtitle: string | null } | null {
  const row = rowsOf(country).find(({ trackId }) => trackId === id);
  if (row === undefined) return null;
  return { row, subtitle: invented[id - firstId]?.subtitle ?? null };
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{Extended_Pictographic}]+/gu) ?? []
  );
}

const firstId = 700_000_001;

function rowsOf(country: string): FakeRow[] {
  return invented.flatMap((app, position) => {
    const isSold = app.onlyIn === undefined || app.onlyIn.includes(country.toUpperCase());
    return isSold ? [toRow(app, firstId + position, country.toLowerCase())] : [];
  });
}

function toRow(app: Invented, id: number, country: string): FakeRow {
  const [average, count] = app.rated ?? [0, 0];
  return {
    wrapperType: 'software',
    kind: 'software',
    trackId: id,
    bundleId: `example.invented.app${id}`,
    trackName: app.name,
    trackCensoredName: app.name,
    artistName: app.developer,
    artistId: id - 600_000_000,
    primaryGenreName: app.genre,
    primaryGenreId: app.genre_id,
    genreIds: [String(app.genre_id)],
    genres: [app.genre],
    description: app.about,
    trackViewUrl: `https://apps.example/${country}/app/id${id}?uo=4`,
    artworkUrl60: image(id, 'icon-60'),
    artworkUrl100: image(id, 'icon-100'),
    artworkUrl512: image(id, 'icon-512'),
    screenshotUrls: [image(id, 'phone-1'), image(id, 'phone-2')],
    ipadScreenshotUrls: [image(id, 'pad-1')],
    version: `${1 + (id % 7)}.${id % 10}.0`,
    averageUserRating: average,
    userRatingCount: count,
    releaseDate: '2019-04-01T07:00:00Z',
    currentVersionReleaseDate: `2025-0${1 + (id % 9)}-15T10:30:00Z`,
    languageCodesISO2A: ['EN', 'ZH', 'DE', 'ZH', 'XQ'],
    price: app.price ?? 0,
    formattedPrice: app.price ? `$${app.price.toFixed(2)}` : 'Free',
    currency: 'USD',
    ...app.unlike,
  };
}
