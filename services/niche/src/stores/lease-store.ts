import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';
import { isDuplicateKey } from '@shelfwise/runtime/mongo';
import { type Connection, Schema } from 'mongoose';
import { type Niche, nicheKey } from './analysis-store.ts';
import { sweepOld } from './sweep-old.ts';

/** The right to make the analysis of a niche, over all copies of the service. */
type LeaseDocument = {
  /** `nicheKey` */
  _id: string;
  /** whoever took it: a random text per analysis */
  holder: string;
  /** from then on anybody may take it */
  until: Date;
  /** how the holder's analysis failed; null while it runs */
  failure: { code: ErrorCode; message: string } | null;
};

const schema = new Schema<LeaseDocument>(
  {
    _id: { type: String, required: true },
    holder: { type: String, required: true },
    until: { type: Date, required: true },
    failure: { type: Schema.Types.Mixed, default: null },
  },
  { versionKey: false, minimize: false },
).index({ until: 1 });

/** A failure is told to those who waited for that analysis; later its lease is of no use. */
const keptMs = 60 * 60_000;

export type FoundLease = { holder: string; isOver: boolean; failure: AppError | null };

export type LeaseStore = ReturnType<typeof createLeaseStore>;

/** Who makes which analysis now. The copies' clocks may differ by less than the time of a lease. */
export function createLeaseStore(connection: Connection) {
  const leases = connection.model('Lease', schema, 'leases');

  return {
    /** False when somebody else has it, who has renewed it in time. By `_id`. */
    async take(niche: Niche, holder: string, { at, until }: { at: Date; until: Date }): Promise<boolean> {
      const _id = nicheKey(niche);
      const mine = { holder, until, failure: null };
      const { matchedCount } = await leases.updateOne({ _id, until: { $lte: at } }, { $set: mine });
      if (matchedCount === 1) return true;
      try {
        await leases.create({ _id, ...mine });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** False when it is somebody else's by now. By `_id`. */
    async renew(niche: Niche, holder: string, until: Date): Promise<boolean> {
      const { matchedCount } = await leases.updateOne({ _id: nicheKey(niche), holder }, { $set: { until } });
      return matchedCount === 1;
    },

    /** Anybody may take it again. By `_id`. */
    async free(niche: Niche, holder: string): Promise<void> {
      await leases.deleteOne({ _id: nicheKey(niche), holder });
    },

    /** As `free`, and whoever waited for this holder's analysis is told how it failed. By `_id`. */
    async fail(niche: Niche, holder: string, at: Date, { code, message }: AppError): Promise<void> {
      await leases.updateOne(
        { _id: nicheKey(niche), holder },
        { $set: { until: at, failure: { code, message } } },
      );
    },

    /** Who has it, or had it last, and how his analysis failed if it did. By `_id`. */
    async find(niche: Niche, at: Date): Promise<FoundLease | null> {
      const lease = await leases.findById(nicheKey(niche)).lean<LeaseDocument>();
      if (!lease) return null;
      const { holder, until, failure } = lease;
      return { holder, isOver: until <= at, failure: failure && new AppError(failure.code, failure.message) };
    },

    /** Deletes some that ended an hour ago and more. Index: until. */
    sweep: (now: Date) => sweepOld(connection, 'leases', 'until', new Date(now.getTime() - keptMs)),
  };
}
