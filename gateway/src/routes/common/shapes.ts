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
export const storeIdentifier = z.string().meta({ description: 'Store identifier.', examples: ['281796108'] });
export const count = z
  .int()
  .min(0)
  .meta({ examples: [3] });
export const store = z.enum(stores).meta({ examples: ['ITUNES'] });
export const country = z.string().meta({ description: 'ISO 3166-1 alpha-2, upper case.', examples: ['US'] });
export const lang = z.string().meta({ description: 'BCP 47.', examples: ['en-US'] });
export const date = z.iso.date().meta({ description: 'A UTC day.', examples: ['2026-01-31'] });
export const timestamp = z.iso.datetime().meta({ examples: ['2026-01-31T09:30:00.000Z'] });

export const score = z.int().min(0).max(100);

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

export const totalMeta = z.object({ total: count });

export const paginationMeta = z.object({
  total: count,
  page: z.int().min(1),
  per_page: z.int().min(1),
  total_pages: count,
  has_more: z.boolean(),
});
