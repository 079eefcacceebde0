import { z } from 'zod';
import type { StoreAnswer } from '../../http/call-store.ts';
import { refuseDeepNesting } from '../../http/refuse-deep-nesting.ts';
import type { Listing } from '../../source.ts';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { averageScore, currencyCode, orNull, plainText, text, webUrl } from '../field-shapes.ts';
import { htmlToText } from '../plain-text.ts';
import { isRatingReadable } from './app-rating.ts';
import type { ScraperInput } from './call-scraper.ts';
import { readBlock, writeBlock } from './page-block.ts';
import { parseMapped } from './parse-mapped.ts';
import { readableDetails } from './readable-details.ts';
import { valueAt } from './value-at.ts';

/** Paths in ds:5, the page's block of app details, of what is read without the scraper. */
const paths = {
  details: [1, 2],
  appId: [1, 2, 77, 0],
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
  title: orNull(plainText),
  descriptionHTML: orNull(text),
  summary: orNull(z.string()),
  url: orNull(webUrl),
  icon: orNull(webUrl),
  screenshots: orNull(z.array(webUrl)),
  developer: orNull(plainText),
  genre: orNull(plainText),
  genreId: orNull(text),
  version: orNull(text),
  score: orNull(averageScore),
  ratings: orNull(z.int().nonnegative()),
  price: orNull(z.number().nonnegative()),
  free: z.boolean(),
  currency: orNull(currencyCode),
  minInstalls: orNull(z.int().nonnegative()),
  /** In milliseconds; NaN when the store does not say. */
  updated: orNull(z.number().positive()),
});

/**
 * What is read without the scraper. A date or video is null when the page does not say. `unreadable`: names of fields of
 * the listing whose value the scraper cannot be trusted with.
 */
export type ExtraFields = Pick<Listing, 'released_at' | 'has_video' | 'unreadable'>;

/**
 * Checks an app's page; returns what the scraper reads, and the fields that it does not read. Only the app's id is
 * required.
 * @throws StoreFailure `captcha` or `malformed`
 */
export function readAppPage(answer: StoreAnswer, appId: string): ScraperInput<ExtraFields> {
  const data = readBlock(answer, 'ds:5');
  const details = valueAt(data, paths.details);
  const shownId = valueAt(data, paths.appId);
  if (!Array.isArray(details) || typeof shownId !== 'string')
    throw new StoreFailure('malformed', "sent an app's page without appId (ds:5)");
  if (shownId !== appId)
    throw new StoreFailure('malformed', 'sent the page of another app than the requested one');
  refuseOversizedText(valueAt(data, paths['short description']), 'short description');
  for (const path of descriptions) refuseOversizedText(valueAt(data, path), 'description');
  const seconds = valueAt(data, paths.releasedAt);
  const releasedAt = typeof seconds === 'number' && seconds > 0 ? toDate(seconds * 1000) : null;
  const unreadable: (keyof Listing)[] = isRatingReadable(details) ? [] : ['score', 'ratings'];
  if (!Array.isArray(valueAt(data, paths.screenshots))) unreadable.push('screenshots');
  return {
    text: writeBlock('ds:5', [null, [null, null, readableDetails(details)]]),
    extra: { released_at: releasedAt, has_video: readHasVideo(data), unreadable },
  };
}

/** Parsing long and nested HTML takes too much time. */
function refuseOversizedText(html: unknown, name: keyof typeof maxLengths): void {
  if (typeof html !== 'string') return;
  if (html.length > maxLengths[name])
    throw new StoreFailure('malformed', `sent a ${name} of ${html.length} characters (ds:5)`);
  refuseDeepNesting(html, { maxDepth });
}

/** Null when videos, or the address of one, are not at their usual path. */
function readHasVideo(data: unknown): boolean | null {
  const videos = valueAt(data, paths.videos);
  if (videos === null) return false;
  return typeof valueAt(videos, [0, 0, 3, 2]) === 'string' ? true : null;
}

/** Checks and converts the scraper's result (`mapped`). */
export function toListing(mapped: unknown, appId: string, extra: ExtraFields): Listing {
  const app = parseMapped(details, mapped);
  const isUnreadable = new Set<string>(extra.unreadable);
  const isRated = !isUnreadable.has('ratings');
  const shown = {
    title: app.title,
    description: app.descriptionHTML && htmlToText(app.descriptionHTML),
    url: app.url,
    icon: app.icon,
    developer_name: app.developer,
    genre: app.genre,
    genre_key: app.genreId,
  };
  for (const [field, value] of Object.entries({ ...shown, screenshots: app.screenshots }))
    if (value === null) isUnreadable.add(field);
  return {
    app_id: appId,
    bundle_id: appId,
    ...shown,
    subtitle: app.summary === null ? null : htmlToText(app.summary),
    screenshots: isUnreadable.has('screenshots') ? [] : (app.screenshots ?? []),
    // The scraper's value for "varies with device".
    version: app.version === 'VARY' ? null : app.version,
    score: isRated && app.ratings ? app.score : null,
    ratings: isRated ? app.ratings : null,
    // The scraper returns 0 when the store shows no price, for example before an app's release.
    price: app.free ? 0 : app.price || null,
    currency: app.currency,
    installs: app.minInstalls,
    languages: [],
    ...extra,
    updated_at: app.updated === null ? null : toDate(app.updated),
    unreadable: [...isUnreadable],
  };
}

/** Null for an invalid time. */
function toDate(ms: number): Date | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date;
}
