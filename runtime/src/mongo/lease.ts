import { randomUUID } from 'node:crypto';
import { type Connection, Schema } from 'mongoose';
import { tryCreate } from './try-create.ts';

/** `holder` is null after a release. `renewals` grows with every change, so that a holder that is alive can be seen. */
type LeaseDocument = { _id: string; holder: string | null; renewals: number };

export const leaseCollection = 'held_leases';

const schema = new Schema<LeaseDocument>(
  {
    _id: { type: String, required: true },
    holder: { type: String, default: null },
    renewals: { type: Number, required: true },
  },
  { versionKey: false },
);

export type Lease = {
  /** Whether this copy has the lease for certain. Makes no query. */
  isHeld(): boolean;
  /**
   * Takes or renews the lease, and returns whether this copy has it. Makes no query while the last renewal is recent.
   * @throws the error of the database
   */
  hold(): Promise<boolean>;
  /** Lets another copy take the lease at once. Does nothing when this copy does not have it. */
  release(): Promise<void>;
};

/** For the schema of a database with leases. */
export function createLeaseModel(connection: Connection) {
  return connection.model('HeldLease', schema, leaseCollection);
}

/**
 * The right to do something that only one copy of a service does at a time. A copy that wants the lease takes it over
 * when the holder has not renewed it for `leaseMs`. Each copy measures this time itself, from the moment when it saw
 * the last renewal, so the clocks of the copies need not agree, and may be set. The first copy that asks for a lease that
 * was never taken or was released gets it at once.
 *
 * A process that stands still for longer than `leaseMs` may still believe for a moment that it has the lease: ask
 * `isHeld` right before each step, and choose steps that are harmless when they are late.
 * @param options.name unique in the database
 * @param options.monotonicMs a clock that is never set
 * @param options.leaseMs a holder should call `hold` at least three times in this time while it works
 */
export function createLease(options: {
  connection: Connection;
  name: string;
  leaseMs: number;
  monotonicMs?: () => number;
}): Lease {
  const { connection, name, leaseMs, monotonicMs = () => performance.now() } = options;
  const leases = createLeaseModel(connection);
  const me = randomUUID();
  /** When this copy sent its last successful renewal, by `monotonicMs`; null while it does not have the lease. */
  let renewedAt: number | null = null;
  /** The last renewal of another copy, and when this copy saw it first, by `monotonicMs`. */
  let seen: { holder: string; renewals: number; at: number } | null = null;

  let running: Promise<boolean> | null = null;

  const isYoungerThan = (ms: number) => renewedAt !== null && monotonicMs() - renewedAt < ms;

  async function change(from: Partial<LeaseDocument>, holder: string | null): Promise<boolean> {
    const filter = { _id: name, ...from };
    const { matchedCount } = await leases.updateOne(filter, { $set: { holder }, $inc: { renewals: 1 } });
    return matchedCount === 1;
  }

  const create = () => tryCreate(() => leases.create({ _id: name, holder: me, renewals: 1 }));

  /** Takes the lease when it is free, or when its holder has not renewed it for long enough. */
  async function take(): Promise<boolean> {
    const stored = await leases.findById(name).lean<LeaseDocument>();
    if (!stored) return create();
    const { holder, renewals } = stored;
    if (holder === null || holder === me) return change({ holder, renewals }, me);
    const isSame = seen?.holder === holder && seen.renewals === renewals;
    if (!seen || !isSame) seen = { holder, renewals, at: monotonicMs() };
    if (monotonicMs() - seen.at < leaseMs) return false;
    return change({ holder, renewals }, me);
  }

  async function renewOrTake(): Promise<boolean> {
    const sentAt = monotonicMs();
    const isHeld = (renewedAt !== null && (await change({ holder: me }, me))) || (await take());
    renewedAt = isHeld ? sentAt : null;
    return isHeld;
  }

  return {
    isHeld: () => isYoungerThan(leaseMs),

    async hold() {
      if (isYoungerThan(leaseMs / 3)) return true;
      running ??= renewOrTake().finally(() => {
        running = null;
      });
      return running;
    },

    async release() {
      await running?.catch(() => {});
      if (renewedAt === null) return;
      renewedAt = null;
      await change({ holder: me }, null);
    },
  };
}

/**
 * Renews a lease that this copy has, during longer work, until `stop`. `lost` fires when another copy has the lease, or
 * may have it because no renewal has succeeded for `leaseMs`. While the database leaves a renewal without an answer it does
 * not fire: work that needs another server as well asks `isHeld`.
 */
export function keepHeld(
  lease: Pick<Lease, 'hold' | 'isHeld'>,
  { leaseMs, lostError }: { leaseMs: number; lostError: () => Error },
): { lost: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const renew = async () => {
    const isHeld = await lease.hold().catch(() => lease.isHeld());
    if (!isHeld) lost.abort(lostError());
  };
  const timer = setInterval(() => void renew(), leaseMs / 6);
  return { lost: lost.signal, stop: () => clearInterval(timer) };
}
