import { AppError } from '@shelfwise/runtime/errors';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Niche } from '../stores/analysis-store.ts';
import type { LeaseStore } from '../stores/lease-store.ts';

/** The analysis of a copy that died can be taken over after this time. */
const leaseMs = 30_000;
/** Short enough that one renewal may fail. */
const renewMs = 8000;

export type RunUnderLease = ReturnType<typeof createRunUnderLease>;

/** Runs work that only one copy of the service may do at a time, under the lease of a niche. */
export function createRunUnderLease(deps: {
  leases: Pick<LeaseStore, 'acquire' | 'renew' | 'release' | 'fail'>;
  now: () => Date;
  sleep: Sleep;
}) {
  const { leases, now, sleep } = deps;
  const leaseEnd = () => new Date(now().getTime() + leaseMs);

  async function renewLease(
    niche: Niche,
    holder: string,
    ended: AbortSignal,
    lost: AbortController,
  ): Promise<void> {
    let expiresAt = leaseEnd();
    for (;;) {
      await sleep(renewMs, ended);
      if (ended.aborted) return;
      const next = leaseEnd();
      const isRenewed = await leases.renew(niche, holder, next).catch(() => null);
      if (isRenewed) expiresAt = next;
      // While the database is down, no other copy can acquire the lease before it expires.
      else if (isRenewed === false || now() >= expiresAt) return lost.abort(new Error('the lease is lost'));
    }
  }

  /** Errors are ignored: a lease that cannot be released expires. */
  async function releaseLease(niche: Niche, holder: string, failure: unknown): Promise<void> {
    const isShared = failure instanceof AppError && failure.code === 'ANALYSIS_FAILED';
    const released = isShared ? leases.fail(niche, holder, now(), failure) : leases.release(niche, holder);
    await released.catch(() => {});
  }

  /**
   * Returns the result of `work`, or null when another copy has the lease or took it over meanwhile. The signal
   * passed to `work` also fires when the lease is lost. An ANALYSIS_FAILED error is stored in the lease for waiting
   * copies.
   */
  return async <Result>(
    niche: Niche,
    holder: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | null> => {
    if (!(await leases.acquire(niche, holder, { at: now(), expiresAt: leaseEnd() }))) return null;
    const ended = new AbortController();
    const lost = new AbortController();
    const renewing = renewLease(niche, holder, ended.signal, lost);
    let failure: unknown = null;
    try {
      return await work(AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      if (lost.signal.aborted) return null;
      failure = error;
      throw error;
    } finally {
      ended.abort();
      await renewing;
      if (!lost.signal.aborted) await releaseLease(niche, holder, failure);
    }
  };
}
