import type { AlertField } from './alert.ts';

/** What is kept of a listing, as its newest reading says. Null: the store does not say, or it could not be read. */
export type KeptListing = {
  /** internal app id */
  id: number;
  /** store identifier */
  app_id: string;
  title: string | null;
  subtitle: string | null;
  version: string | null;
  /** The last average rating that was read, 0 to 5, and its UTC day. */
  score: number | null;
  score_day: string | null;
  /** The last top chart that was known, see `ownChart`. */
  chart_id: string | null;
  /** Counts the readings that showed a change; the highest is the newest. */
  revision: number;
  /** The UTC day of that reading; of an app that is not listed any more, of the first look-up without it. */
  day: string;
};

/** Fields whose change is news. Ratings and their number change almost daily. */
const newsFields = ['title', 'subtitle', 'description', 'version', 'icon', 'screenshots', 'unlisted_since'];
const shortTexts = ['title', 'subtitle', 'version'] as const;

/** A longer text is only named. In UTF-16 units; titles have 30 or 50 characters, subtitles 30 or 80. */
const maxTextLength = 200;

/**
 * The fields of a listing that changed, with short texts as they were and are.
 * @param changed names of fields, as the event has them
 * @param before null: nothing is known of the listing before
 */
export function changedFields(
  changed: readonly string[],
  before: KeptListing | null,
  after: KeptListing,
): AlertField[] {
  return newsFields
    .filter((field) => changed.includes(field))
    .map((field) => {
      const name = shortTexts.find((text) => text === field);
      return {
        field,
        before: name && before ? shorten(before[name]) : null,
        after: name ? shorten(after[name]) : null,
      };
    });
}

function shorten(text: string | null): string | null {
  return text !== null && text.length > maxTextLength ? null : text;
}

/** Floating-point ratings: 4.6 - 4.5 is a little less than .1. */
const tolerance = 1e-9;

/** Whether the average rating fell by at least `stars`. A rating that was not read is compared with nothing. */
export function isRatingDrop(before: number | null, after: number | null, stars: number): boolean {
  return before !== null && after !== null && before - after >= stars - tolerance;
}

/**
 * The newer reading of a listing. A rating that it could not read stays that of the last day on which it was read, and so does the
 * chart.
 */
export function nextListing(before: KeptListing | null, read: KeptListing): KeptListing {
  if (before === null) return read;
  const next = { ...read, chart_id: read.chart_id ?? before.chart_id };
  if (read.score !== null) return next;
  return { ...next, score: before.score, score_day: before.score_day };
}
