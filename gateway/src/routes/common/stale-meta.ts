import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { z } from 'zod';
import * as shapes from './shapes.ts';

/** Listings are read once a day: the last daily reading of an older one has failed. */
const freshListingMs = 36 * 60 * 60 * 1000;

/** The meta of an answer from stale readings; absent when all readings are fresh. */
export const staleMeta = z
  .object({
    warnings: z
      .array(z.literal('stale_store_data'))
      .max(1)
      .meta({
        description: 'The store could not be read, so the answer uses an older reading.',
        examples: [['stale_store_data']],
      }),
    stale_since: shapes.timestamp.meta({ description: 'When the oldest of those readings was taken.' }),
  })
  .optional();

/** The time of a stale reading; null when it is fresh. */
export function findStaleSince(listing: Pick<TrackedListing, 'read_at'>, now: Date): Date | null {
  const readAt = listing.read_at;
  return readAt !== null && now.getTime() - readAt.getTime() > freshListingMs ? readAt : null;
}

/** Takes the times of stale readings (null: fresh); the oldest counts. */
export function toStaleMeta(...moments: (Date | null)[]): z.output<typeof staleMeta> {
  const [oldest] = moments.filter((at) => at !== null).sort((a, b) => a.getTime() - b.getTime());
  return oldest && { warnings: ['stale_store_data'], stale_since: oldest.toISOString() };
}
