import { AppError } from '@shelfwise/runtime/errors';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Niche } from '../stores/analysis-store.ts';
import type { LeaseStore } from '../stores/lease-store.ts';

/** After this time without a renewal, another copy can take over the analysis of a copy that died. */
const leaseMs = 30_000;
/** Three renewals fit into a lease, so that a failed one does not lose it. */
const renewMs = 8000;

export type RunUnderLease = ReturnType<typeof createRunUnderLease>;

/** Creates a function that runs work while it holds the lease of a niche, so that no other copy does the same. */
export function createRunUnderLease(deps: {
  leases: Pick<LeaseStore, 'acquire' | 'renew' | 'release' | 'fail'>;
  now: () => Date;
  sleep: Sleep;
}) {
  const { leases, now, sleep } = deps;
  const leaseEnd = () => new Date(now().getTime() + leaseMs);

  /** Renews the lease until `ended` fires; aborts `lost` when another copy has it, or may have it. */
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

  /**
   * Releases the lease, and keeps an ANALYSIS_FAILED error in it for copies that wait for the analysis. Database errors
   * are ignored: a lease that cannot be released expires.
   */
  async function releaseLease(niche: Niche, holder: string, failure: unknown): Promise<void> {
    const isForWaiters = failure instanceof AppError && failure.code === 'ANALYSIS_FAILED';
    const released = isForWaiters
      ? leases.fail(niche, holder, now(), failure)
      : leases.release(niche, holder);
    await released.catch(() => {});
  }

  /**
   * Returns the result of `work`; null when another copy has the lease, or when `work` failed after the lease was lost.
   * The signal passed to `work` fires with `signal` and when the lease is lost.
   * @param holder a random id of this attempt
   * @throws the error of `work`
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
