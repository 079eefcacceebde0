import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';
import type { Release } from '../domain/release.ts';
import type { StoredAudit } from './audit-store.ts';

/** A past release of a listing, with the score of its last audit. */
export type PastRelease = Release & {
  /** `<listing>:<date in ms>:<version>` */
  _id: string;
  listing_id: number;
  /** overall score, 0 to 100 */
  global: number;
};

const schema = new Schema<PastRelease>(
  {
    _id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    date: { type: Date, required: true },
    version: { type: String, default: null },
    global: { type: Number, required: true },
  },
  { versionKey: false },
).index({ listing_id: 1, date: 1 });

const maxReleases = 400;

export type ReleaseStore = ReturnType<typeof createReleaseStore>;

/** The timelines: one small row per past release. Rows are never deleted. */
export function createReleaseStore(connection: Connection) {
  const releases = connection.model('Release', schema, 'releases');

  return {
    /** Stores the release of an audit before an audit of the next release replaces it. Index: _id. */
    async save(audit: StoredAudit): Promise<void> {
      const { release } = audit;
      await retryUpsert(() =>
        releases.updateOne(
          { _id: idOf(audit.listing_id, release) },
          { $set: { listing_id: audit.listing_id, ...release, global: audit.report.global } },
          { upsert: true },
        ),
      );
    },

    /** The releases before the present one, newest first, 400 at most. Index: listing_id, date. */
    async listBefore(listingId: number, present: Release): Promise<PastRelease[]> {
      const rows = await releases
        .find({ listing_id: listingId })
        .sort({ date: -1 })
        .limit(maxReleases + 1)
        .lean<PastRelease[]>();
      // The row of the present release may exist already: it is written just before an audit of the next one is stored.
      return rows.filter(({ _id }) => _id !== idOf(listingId, present)).slice(0, maxReleases);
    },
  };
}

function idOf(listingId: number, { date, version }: Release): string {
  return `${listingId}:${date.getTime()}:${version ?? ''}`;
}
