import { AppError } from '@shelfwise/runtime/errors';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Niche } from '../stores/analysis-store.ts';
import type { LeaseStore } from '../stores/lease-store.ts';

/** A copy that died loses its analyses after so long. */
const leaseMs = 30_000;
/** Often enough that one renewal may fail. */
const renewMs = 8000;

export type LeaseKeeper = ReturnType<typeof createLeaseKeeper>;

/** Does work that only one copy of the service may be doing: holds the lease of a niche while it lasts. */
export function createLeaseKeeper(deps: { leases: LeaseStore; now: () => Date; sleep: Sleep }) {
  const { leases, now, sleep } = deps;
  const leaseEnd = () => new Date(now().getTime() + leaseMs);

  async function keepRenewing(
    niche: Niche,
    holder: string,
    ended: AbortSignal,
    lost: AbortController,
  ): Promise<void> {
    let until = leaseEnd();
    for (;;) {
      await sleep(renewMs, ended);
      if (ended.aborted) return;
      const next = leaseEnd();
      const isRenewed = await leases.renew(niche, holder, next).catch(() => null);
      if (isRenewed) until = next;
      // While the database does not answer it is nobody else's until its end.
      else if (isRenewed === false || now() >= until) return lost.abort(new Error('the lease is lost'));
    }
  }

  /** One that cannot be given back now runs out. */
  async function giveBack(niche: Niche, holder: string, failure: unknown): Promise<void> {
    const isToTell = failure instanceof AppError && failure.code === 'ANALYSIS_FAILED';
    const given = isToTell ? leases.fail(niche, holder, now(), failure) : leases.free(niche, holder);
    await given.catch(() => {});
  }

  return {
    /** False when another copy has the lease. */
    take: (niche: Niche, holder: string): Promise<boolean> =>
      leases.take(niche, holder, { at: now(), until: leaseEnd() }),

    /**
     * Runs `work` under the lease that `holder` has taken, and gives it back. Its signal fires when the lease is lost,
     * too: then the result is null. An analysis that has failed is told to the copies that wait for it.
     */
    async hold<Result>(
      niche: Niche,
      holder: string,
      signal: AbortSignal,
      work: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result | null> {
      const ended = new AbortController();
      const lost = new AbortController();
      const renewing = keepRenewing(niche, holder, ended.signal, lost);
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
        if (!lost.signal.aborted) await giveBack(niche, holder, failure);
      }
    },
  };
}
