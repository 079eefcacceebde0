import { stores } from '@shelfwise/facts/store';
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
export const appTitle = z
  .string()
  .meta({ description: 'Title of the application.', examples: ['Habitember - Habit Tracker'] });
export const isFavorite = z
  .boolean()
  .meta({ description: 'Whether it is a favourite of this application.', examples: [true] });
export const trackedSince = timestamp.meta({ description: 'When tracking began.' });

export const paginationMeta = z.object({
  total: count.meta({ description: 'Rows on all pages.', examples: [120] }),
  page: z
    .int()
    .min(1)
    .meta({ description: 'This page, from 1.', examples: [1] }),
  per_page: z
    .int()
    .min(1)
    .meta({ description: 'Rows per page.', examples: [50] }),
  total_pages: count.meta({ description: 'How many pages there are.' }),
  has_more: z.boolean().meta({ description: 'Whether there is a page after this one.' }),
});
