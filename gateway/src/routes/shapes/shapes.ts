import { stores } from '@shelfwise/facts/stores/store';
import { z } from 'zod';

/**
 * Schemas that answers share. Null means that Shelfwise does not have the value, unless the description gives another
 * meaning (a null `rank`: not ranked).
 */

/** A number from 1 that identifies a row. */
export const rowId = (description: string, example: number) =>
  z
    .int()
    .min(1)
    .meta({ description, examples: [example] });
export const internalId = rowId('Id of the application in Shelfwise.', 42);
export const keywordId = rowId('Keyword id: one per keyword, store, country and language.', 7);
export const relationId = rowId('Id of the relation between an application and a competitor.', 5);
export const storeIdentifier = z
  .string()
  .meta({ description: 'Store identifier.', examples: ['9005997251'] });
export const count = z
  .int()
  .min(0)
  .meta({ examples: [4] });
export const boundedCount = (max: number) =>
  z
    .int()
    .min(0)
    .max(max)
    .meta({ examples: [4] });
export const store = z
  .enum(stores)
  .meta({ description: 'ITUNES is the App Store, GPLAY is Google Play.', examples: ['ITUNES'] });
export const country = z
  .string()
  .meta({ description: 'Country, ISO 3166-1 alpha-2, upper case.', examples: ['US'] });
export const lang = z.string().meta({ description: 'Language, BCP 47.', examples: ['en-US'] });
/** The fields of a storefront. */
export const storefront = { store, country, lang };
export const date = z.iso.date().meta({ description: 'A UTC day.', examples: ['2026-01-31'] });
export const timestamp = z.iso.datetime().meta({ examples: ['2026-01-31T09:30:00.000Z'] });

export const score = z.int().min(0).max(100);

/** Ends the description of a store's text or address that every app has: only an odd page makes it null. */
export const nullWhenUnreadable = 'null when the store’s page could not be read there';

export const title = z
  .string()
  .nullable()
  .meta({
    description: `Title in the store; ${nullWhenUnreadable}.`,
    examples: ['Habitember - Habit Tracker'],
  });
export const icon = z
  .string()
  .nullable()
  .meta({
    description: `URL of the icon; ${nullWhenUnreadable}.`,
    examples: ['https://example.com/icon.png'],
  });

export const developerName = z
  .string()
  .nullable()
  .meta({
    description: `Developer name in the store; ${nullWhenUnreadable}.`,
    examples: ['Britibo Software LLC'],
  });
export const rating = z
  .number()
  .min(0)
  .max(5)
  .nullable()
  .meta({
    description: 'Average rating; null when there are no ratings or the store does not show it.',
    examples: [4.5],
  });

export const ratingCount = z
  .int()
  .min(0)
  .nullable()
  .meta({
    description: 'Number of ratings in the country; null when the store does not show it.',
    examples: [72650],
  });

/** 0 to 100, or null when not measured yet. */
export function measuredScore(description: string) {
  return z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .meta({ description: `${description}, 0 to 100; null when not measured yet.`, examples: [57] });
}

/** Shown with every traffic score. */
export const isPartial = z.boolean().meta({
  description:
    'Whether the traffic was computed before the store’s suggestions were known; it is then measured again within minutes. After a first look at an empty list, which a second look must confirm, it is a lower bound. While the store does not answer, the part is left out, and the traffic can turn out lower or higher.',
  examples: [false],
});

export const scoringVersion = z
  .int()
  .min(1)
  .meta({ description: 'Version of the formulas.', examples: [4] });

/** Part of the description of every visibility score. */
export const firstDayNote =
  'On an app’s first UTC day its terms still grow with every keyword that is tracked for it, so the scores of that day can change. The first daily reading fixes them.';

export const rank = z
  .int()
  .min(1)
  .max(100)
  .nullable()
  .meta({ description: 'Rank in the snapshot; null when not ranked.', examples: [12] });

/** The movement of a rank from an earlier snapshot to a later one: positive is up. */
export const rankDelta = z
  .int()
  .min(-99)
  .max(99)
  .nullable()
  .meta({ examples: [5] });

/** A snapshot with fewer results is marked with its depth. */
export const fullSnapshotDepth = 100;

/** Shown only for a snapshot that is not full. */
export const snapshotDepth = z
  .int()
  .min(0)
  .max(fullSnapshotDepth - 1)
  .meta({ description: 'Number of results in the snapshot.', examples: [30] });

export const keyword = z
  .string()
  .meta({ description: 'The keyword in its normal form.', examples: ['habit tracker'] });
export const prefix = z.string().meta({ description: 'The prefix in its normal form.', examples: ['habit'] });
export const topic = z
  .string()
  .meta({ description: 'The topic in its normal form.', examples: ['habit tracker'] });
export const appTitle = z
  .string()
  .nullable()
  .meta({
    description: `Title of the application; ${nullWhenUnreadable}.`,
    examples: ['Habitember - Habit Tracker'],
  });
export const isFavorite = z
  .boolean()
  .meta({ description: 'Whether the keyword is a favorite of this application.', examples: [true] });
export const trackedSince = timestamp.meta({ description: 'When tracking started.' });

/** The maximum number of suggestions of a store’s search field. */
export const maxSuggestions = 10;
/** The maximum number of terms that a niche analysis scores. */
export const maxNicheTerms = 2000;

/** The maximum page number of any list. */
export const maxPage = 1_000_000;
/** The maximum number of rows in one answer. */
export const maxListRows = 1000;

export const paginationMeta = z.object({
  total: count.meta({ description: 'Rows on all pages.', examples: [120] }),
  page: z
    .int()
    .min(1)
    .max(maxPage)
    .meta({ description: 'This page, from 1.', examples: [1] }),
  per_page: z
    .int()
    .min(1)
    .max(maxListRows)
    .meta({ description: 'Rows per page.', examples: [50] }),
  total_pages: count.meta({ description: 'Number of pages.' }),
  has_more: z.boolean().meta({ description: 'Whether there is a next page.' }),
});

/** The meta of a list with pages. `total` counts the rows on all pages. */
export function toPaginationMeta(
  total: number,
  query: { page: number; per_page: number },
): z.output<typeof paginationMeta> {
  const totalPages = Math.ceil(total / query.per_page);
  return {
    total,
    page: query.page,
    per_page: query.per_page,
    total_pages: totalPages,
    has_more: query.page < totalPages,
  };
}

/** The meta of a list that holds only the newest rows. */
export const truncatedListMeta = z.object({
  total: count.meta({ description: 'Number of rows, including those that the list leaves out.' }),
  has_more: z
    .literal(true)
    .optional()
    .meta({
      description: 'There are more rows than the list holds; absent when it holds all.',
      examples: [true],
    }),
});

/** `total` counts all rows, `shown` those in the answer. */
export function toTruncatedListMeta(total: number, shown: number): z.output<typeof truncatedListMeta> {
  return { total, has_more: total > shown ? true : undefined };
}
