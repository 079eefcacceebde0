import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { z } from 'zod';
import * as shapes from './shapes.ts';

/** Listings are read once a day. One that is older than this could not be read when it was due. */
const freshListingMs = 36 * 60 * 60 * 1000;

/** The meta of an answer that rests on saved readings; absent when all of them are fresh. */
export const staleMeta = z
  .object({
    warnings: z
      .array(z.literal('stale_store_data'))
      .max(1)
      .meta({
        description: 'A store could not be read: a saved reading is served.',
        examples: [['stale_store_data']],
      }),
    stale_since: shapes.timestamp.meta({ description: 'When the oldest of those readings was made.' }),
  })
  .optional();

/** When a listing was read that should have been read again since; null when it is fresh. */
export function staleSince({ read_at: readAt }: Pick<TrackedListing, 'read_at'>, now: Date): Date | null {
  return readAt !== null && now.getTime() - readAt.getTime() > freshListingMs ? readAt : null;
}

/** Of the moments since when readings are stale (null: they are fresh) the oldest one counts. */
export function toStaleMeta(...moments: (Date | null)[]): z.output<typeof staleMeta> {
  const [oldest] = moments.filter((at) => at !== null).sort((a, b) => a.getTime() - b.getTime());
  return oldest && { warnings: ['stale_store_data'], stale_since: oldest.toISOString() };
}
