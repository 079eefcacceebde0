import { stores } from '@shelfwise/facts/stores/store';
import { z } from 'zod';

/** What clients are given: the shapes that answers share. Null always means: we do not have it. */

export const internalId = z
  .int()
  .min(1)
  .meta({ description: 'Internal app id.', examples: [42] });
export const keywordId = z
  .int()
  .min(1)
  .meta({ description: 'Keyword id: one per keyword, store, country and language.', examples: [7] });
export const storeIdentifier = z
  .string()
  .meta({ description: 'Store identifier.', examples: ['9005997251'] });
export const count = z
  .int()
  .min(0)
  .meta({ examples: [3] });
/** A count that has a bound of its own. */
export const countTo = (max: number) =>
  z
    .int()
    .min(0)
    .max(max)
    .meta({ examples: [3] });
export const store = z
  .enum(stores)
  .meta({ description: 'ITUNES is the App Store, GPLAY is Google Play.', examples: ['ITUNES'] });
export const country = z.string().meta({ description: 'ISO 3166-1 alpha-2, upper case.', examples: ['US'] });
export const lang = z.string().meta({ description: 'BCP 47.', examples: ['en-US'] });
export const date = z.iso.date().meta({ description: 'A UTC day.', examples: ['2026-01-31'] });
export const timestamp = z.iso.datetime().meta({ examples: ['2026-01-31T09:30:00.000Z'] });

export const score = z.int().min(0).max(100);

export const title = z
  .string()
  .meta({ description: 'Its title in the store.', examples: ['Habitember - Habit Tracker'] });
export const icon = z
  .string()
  .meta({ description: 'Address of its icon.', examples: ['https://example.com/icon.png'] });

export const developerName = z
  .string()
  .meta({ description: 'Who publishes it.', examples: ['Britibo Software LLC'] });
export const rating = z
  .number()
  .min(0)
  .max(5)
  .nullable()
  .meta({
    description: 'Average rating; null when there is none or the store does not say.',
    examples: [4.5],
  });

/** What a store shows of an app that is read every day; spread it beside its id, title, icon and store. */
export const listingFields = {
  description: z.string().meta({ description: 'Its description in the store.' }),
  url: z.string().meta({ description: 'Its page in the store.' }),
  screenshots: z.array(z.string()).meta({ description: 'Addresses of its screenshots.' }),
  developer_name: developerName,
  genre: z.string().meta({ description: 'Its genre in the store.', examples: ['Productivity'] }),
  version: z
    .string()
    .nullable()
    .meta({ description: 'Newest version; null when the store does not say.', examples: ['23.5.1'] }),
  score: rating.meta({ description: 'Store rating.' }),
  ratings: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'How many ratings.', examples: [72650] }),
};

/** 0 to 100, or null when it was not measured yet. */
export function measuredScore(description: string) {
  return z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .meta({ description: `${description}, 0 to 100; null when not measured yet.`, examples: [57] });
}

export const rank = z
  .int()
  .min(1)
  .max(100)
  .nullable()
  .meta({ description: 'Position in the snapshot; null means not ranked in it.', examples: [12] });

/** How many results a snapshot holds, where that is less than 100. */
export const snapshotDepth = z
  .int()
  .min(0)
  .max(99)
  .meta({ description: 'How many results it holds.', examples: [30] });

export const keyword = z.string().meta({ description: 'In its normal form.', examples: ['habit tracker'] });
export const prefix = z.string().meta({ description: 'The prefix in its normal form.', examples: ['habit'] });
export const topic = z
  .string()
  .meta({ description: 'The topic in its normal form.', examples: ['habit tracker'] });
export const appTitle = z
  .string()
  .meta({ description: 'Title of the application.', examples: ['Habitember - Habit Tracker'] });
export const isFavorite = z
  .boolean()
  .meta({ description: 'Whether it is a favorite of this application.', examples: [true] });
export const trackedSince = timestamp.meta({ description: 'When tracking began.' });

/** The most that a store’s search field suggests. */
export const maxSuggestions = 10;
/** The most terms whose scores an analysis of a niche looks at. */
export const maxNicheTerms = 2000;

/** No list is longer than this many pages. */
export const maxPage = 1_000_000;
/** The most rows that any list has in one answer. */
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
  total_pages: count.meta({ description: 'How many pages there are.' }),
  has_more: z.boolean().meta({ description: 'Whether there is a page after this one.' }),
});

/** The meta of a list that holds the newest rows only. */
export const cutListMeta = z.object({
  total: count.meta({ description: 'How many there are.' }),
  has_more: z
    .literal(true)
    .optional()
    .meta({
      description: 'There are more than the list holds; absent when it holds all.',
      examples: [true],
    }),
});

export function cutList(total: number, shown: number): z.output<typeof cutListMeta> {
  return { total, ...(total > shown && { has_more: true }) };
}
