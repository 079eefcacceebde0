import { load } from 'cheerio/slim';
import { z } from 'zod';
import type { StoreAnswer } from '../../http/call-store.ts';
import { refuseDeepNesting } from '../../http/refuse-deep-nesting.ts';
import type { Listing } from '../../source.ts';
import { StoreFailure } from '../../store-failure.ts';
import { averageScore, currencyCode, text, webUrl } from '../field-shapes.ts';
import { refuseInconsistentRating } from './app-rating.ts';
import type { ScraperInput } from './call-scraper.ts';
import { readBlock, writeBlock } from './page-block.ts';
import { parseMapped } from './parse-mapped.ts';
import { valueAt } from './value-at.ts';

/**
 * Positions in ds:5, the page's block of app details, of fields that the scraper does not return, or whose absence
 * makes it fail without naming them.
 */
const places = {
  appId: [1, 2, 77, 0],
  title: [1, 2, 0, 0],
  developer: [1, 2, 68, 0],
  'developer link': [1, 2, 68, 1, 4, 2],
  'short description': [1, 2, 73, 0, 1],
  screenshots: [1, 2, 78, 0],
  /** Null when the app has no video. */
  videos: [1, 2, 100],
  /** In seconds. The text next to it is in the language of the page. */
  releasedAt: [1, 2, 10, 1, 0],
} as const;

/** The description in the requested language, and the original one. One of the two is enough. */
const descriptions = [
  [1, 2, 12, 0, 0, 1],
  [1, 2, 72, 0, 1],
];

/** The store allows 80 and 4,000 characters; HTML may need six for one of them (`&quot;`). */
const maxLengths = { 'short description': 1_000, description: 50_000 } as const;
/** How deep elements of a text may be nested; a normal description is flat. */
const maxDepth = 32;

const details = z.object({
  title: text,
  description: text,
  summary: z.string(),
  url: webUrl,
  icon: webUrl,
  screenshots: z.array(webUrl),
  developer: text,
  genre: text,
  genreId: text,
  version: text,
  score: averageScore.nullish(),
  ratings: z.int().nonnegative().nullish(),
  price: z.number().nonnegative(),
  free: z.boolean(),
  currency: currencyCode.nullish(),
  minInstalls: z.int().nonnegative().nullish(),
  /** In milliseconds; NaN when the store does not say. */
  updated: z.number().positive().or(z.nan()),
});

/** Fields that are read without the scraper; null when the page does not say. */
export type ExtraFields = Pick<Listing, 'released_at' | 'has_video'>;

/**
 * Checks an app's page; returns what the scraper reads, and the fields that it does not read.
 * @throws StoreFailure `captcha` or `malformed`
 */
export function readAppPage(answer: StoreAnswer, appId: string): ScraperInput<ExtraFields> {
  const data = readBlock(answer, 'ds:5');
  const hasText = (path: readonly (number | string)[]) => typeof valueAt(data, path) === 'string';
  const missing: string[] = requiredTexts.filter((name) => !hasText(places[name]));
  if (!descriptions.some(hasText)) missing.push('description');
  if (!Array.isArray(valueAt(data, places.screenshots))) missing.push('screenshots');
  if (missing.length > 0)
    throw new StoreFailure('malformed', `sent an app's page without ${missing.join(', ')} (ds:5)`);
  if (valueAt(data, places.appId) !== appId) {
    throw new StoreFailure('malformed', 'sent the page of another app than the requested one');
  }
  refuseInconsistentRating(valueAt(data, [1, 2]));
  refuseOversizedText(valueAt(data, places['short description']), 'short description');
  for (const place of descriptions) refuseOversizedText(valueAt(data, place), 'description');
  const seconds = valueAt(data, places.releasedAt);
  const releasedAt = typeof seconds === 'number' ? toDate(seconds * 1000) : null;
  return {
    text: writeBlock('ds:5', data),
    extra: { released_at: releasedAt, has_video: readHasVideo(data) },
  };
}

const requiredTexts = ['appId', 'title', 'developer', 'developer link', 'short description'] as const;

/** Parsing long and nested HTML takes too much time. */
function refuseOversizedText(html: unknown, name: keyof typeof maxLengths): void {
  if (typeof html !== 'string') return;
  if (html.length > maxLengths[name])
    throw new StoreFailure('malformed', `sent a ${name} of ${html.length} characters (ds:5)`);
  refuseDeepNesting(html, { maxDepth });
}

/** Null when videos, or the address of one, are not in their usual place. */
function readHasVideo(data: unknown): boolean | null {
  const videos = valueAt(data, places.videos);
  if (videos === null) return false;
  return typeof valueAt(videos, [0, 0, 3, 2]) === 'string' ? true : null;
}

/** Checks and converts the scraper's result (`mapped`). */
export function toListing(mapped: unknown, appId: string, extra: ExtraFields): Listing {
  const app = parseMapped(details, mapped);
  return {
    app_id: appId,
    bundle_id: appId,
    title: app.title,
    subtitle: toPlainText(app.summary),
    description: app.description,
    url: app.url,
    icon: app.icon,
    screenshots: app.screenshots,
    developer_name: app.developer,
    genre: app.genre,
    genre_key: app.genreId,
    // The scraper's value for "varies with device".
    version: app.version === 'VARY' ? null : app.version,
    score: app.ratings ? (app.score ?? null) : null,
    ratings: app.ratings ?? null,
    // The scraper returns 0 when the store shows no price, for example before an app's release.
    price: app.free ? 0 : app.price || null,
    currency: app.currency ?? null,
    installs: app.minInstalls ?? null,
    languages: [],
    ...extra,
    updated_at: toDate(app.updated),
  };
}

/** The store writes short descriptions as HTML: `It&#39;s here`. */
function toPlainText(html: string): string {
  return load(html, null, false).text();
}

/** Null for an invalid time. */
function toDate(ms: number): Date | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date;
}
