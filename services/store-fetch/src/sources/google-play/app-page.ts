import * as cheerio from 'cheerio';
import { z } from 'zod';
import type { StoreAnswer } from '../../http/call-store.ts';
import type { Listing } from '../source.ts';
import { StoreFailure } from '../store-failure.ts';
import type { HandedOver } from './call-scraper.ts';
import { readBlock, writeBlock } from './page-block.ts';
import { averageScore, currencyCode, parseMapped, text, webUrl } from './parse-mapped.ts';
import { valueAt } from './value-at.ts';

/** What the scraper does not tell, or breaks on without saying what it lacks: where it stands within ds:5. */
const places = {
  appId: [1, 2, 77, 0],
  title: [1, 2, 0, 0],
  developer: [1, 2, 68, 0],
  'developer link': [1, 2, 68, 1, 4, 2],
  /** In seconds. The text beside it is written in the language of the page. */
  releasedAt: [1, 2, 10, 1, 0],
} as const;

/** Either is enough: the description in the language that was asked for, and as it was written. */
const descriptions = [
  [1, 2, 12, 0, 0, 1],
  [1, 2, 72, 0, 1],
];

const details = z.object({
  title: text,
  description: text,
  summary: z.string().nullish(),
  url: webUrl,
  icon: webUrl,
  screenshots: z.array(webUrl),
  developer: text,
  genre: text,
  genreId: text,
  version: text,
  score: averageScore,
  ratings: z.int().nonnegative().nullish(),
  price: z.number().nonnegative(),
  free: z.boolean(),
  currency: currencyCode,
  minInstalls: z.int().nonnegative().nullish(),
  video: z.string().nullish(),
  /** In milliseconds; NaN: the store does not say. */
  updated: z.number().positive().or(z.nan()),
});

/** An app's page as the scraper reads it, and the moment of its release. */
export function readAppPage(answer: StoreAnswer, appId: string): HandedOver<{ releasedAt: Date | null }> {
  const data = readBlock(answer, 'ds:5');
  const has = (path: readonly (number | string)[]) => typeof valueAt(data, path) === 'string';
  const missing = (['appId', 'title', 'developer', 'developer link'] as const).filter(
    (part) => !has(places[part]),
  );
  if (missing.length > 0 || !descriptions.some(has)) {
    const names = descriptions.some(has) ? missing : [...missing, 'description'];
    throw new StoreFailure('garbage', `sent an app's page without ${names.join(', ')} (ds:5)`);
  }
  if (valueAt(data, places.appId) !== appId) {
    throw new StoreFailure('garbage', 'sent the page of another app than the one that was asked for');
  }
  const seconds = valueAt(data, places.releasedAt);
  const releasedAt = typeof seconds === 'number' ? toDate(seconds * 1000) : null;
  return { text: writeBlock('ds:5', data), kept: { releasedAt } };
}

export function toListing(
  mapped: unknown,
  appId: string,
  { releasedAt }: { releasedAt: Date | null },
): Listing {
  const app = parseMapped(details, mapped);
  return {
    appId,
    bundleId: appId,
    title: app.title,
    subtitle: toPlainText(app.summary ?? ''),
    description: app.description,
    url: app.url,
    icon: app.icon,
    screenshots: app.screenshots,
    developerName: app.developer,
    genre: app.genre,
    genreKey: app.genreId,
    // The scraper's word for "varies with device".
    version: app.version === 'VARY' ? null : app.version,
    score: app.ratings ? app.score || null : null,
    ratings: app.ratings ?? null,
    // The scraper writes 0 where the store names no price, as of an app that is yet to appear.
    price: app.free ? 0 : app.price || null,
    currency: app.currency ?? null,
    installs: app.minInstalls ?? null,
    languages: [],
    hasVideo: Boolean(app.video),
    releasedAt,
    updatedAt: toDate(app.updated),
  };
}

/** The store writes short descriptions as HTML: `It&#39;s here`. */
function toPlainText(html: string): string {
  return cheerio.load(html, null, false).text();
}

/** Null for what is no moment. */
function toDate(ms: number): Date | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date;
}
