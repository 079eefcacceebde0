import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { type Connection, Schema } from 'mongoose';
import { type Niche, nicheKey } from './analysis-store.ts';

/** The exclusive right to run the analysis of a niche, across all copies of the service. */
type LeaseDocument = {
  /** `nicheKey` */
  _id: string;
  /** a random id per attempt */
  holder: string;
  /** afterwards another holder may acquire it */
  expires_at: Date;
  /** how the holder's analysis failed; null while it runs */
  failure: { code: ErrorCode; message: string } | null;
};

const schema = new Schema<LeaseDocument>(
  {
    _id: { type: String, required: true },
    holder: { type: String, required: true },
    expires_at: { type: Date, required: true },
    failure: { type: Schema.Types.Mixed, default: null },
  },
  { versionKey: false, minimize: false },
).index({ expires_at: 1 });

/** How long an expired lease is kept: only for its failure, and only callers that waited for the analysis need that. */
const failureTtlMs = 60 * 60_000;

/** `failure`: how the holder's analysis failed; null: it is running, or its copy died. */
export type FoundLease = { holder: string; isExpired: boolean; failure: AppError | null };

export type LeaseStore = ReturnType<typeof createLeaseStore>;

/** One lease per niche. It is safe while the clocks of the copies differ by less than the duration of a lease. */
export function createLeaseStore(connection: Connection) {
  const leases = connection.model('Lease', schema, 'leases');

  return {
    /** Returns true if `holder` has the lease now; false while another holder's lease has not expired. Index: _id. */
    async acquire(
      niche: Niche,
      holder: string,
      { at, expiresAt }: { at: Date; expiresAt: Date },
    ): Promise<boolean> {
      const _id = nicheKey(niche);
      const acquired = { holder, expires_at: expiresAt, failure: null };
      const { matchedCount } = await leases.updateOne({ _id, expires_at: { $lte: at } }, { $set: acquired });
      if (matchedCount === 1) return true;
      try {
        await leases.create({ _id, ...acquired });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Extends the lease. Returns false when another holder has taken over. Index: _id. */
    async renew(niche: Niche, holder: string, expiresAt: Date): Promise<boolean> {
      const { matchedCount } = await leases.updateOne(
        { _id: nicheKey(niche), holder },
        { $set: { expires_at: expiresAt } },
      );
      return matchedCount === 1;
    },

    /** Deletes the lease, so another holder may acquire it. Index: _id. */
    async release(niche: Niche, holder: string): Promise<void> {
      await leases.deleteOne({ _id: nicheKey(niche), holder });
    },

    /** Ends the lease, but keeps the failure for callers that waited for this analysis. Index: _id. */
    async fail(niche: Niche, holder: string, at: Date, { code, message }: AppError): Promise<void> {
      await leases.updateOne(
        { _id: nicheKey(niche), holder },
        { $set: { expires_at: at, failure: { code, message } } },
      );
    },

    /** The current or last holder, and the failure of its analysis if it failed. Index: _id. */
    async find(niche: Niche, at: Date): Promise<FoundLease | null> {
      const lease = await leases.findById(nicheKey(niche)).lean<LeaseDocument>();
      if (!lease) return null;
      const { holder, expires_at: expiresAt, failure } = lease;
      return {
        holder,
        isExpired: expiresAt <= at,
        failure: failure && new AppError(failure.code, failure.message),
      };
    },

    /** Deletes up to 50 leases that expired more than an hour ago. Index: expires_at. */
    sweep: (now: Date) =>
      deleteBatch(
        connection,
        'leases',
        { expires_at: { $lt: new Date(now.getTime() - failureTtlMs) } },
        { expires_at: 1 },
      ),
  };
}
