import { stores } from '@shelfwise/facts/stores/store';
import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { forDailyRun } from '../budget/urgency.ts';
import type { ReadOptions } from '../source.ts';
import type { Clock } from '../store-health/clock.ts';
import type { StorefrontDoubt } from './storefront-doubt.ts';

/** How often the canary of a suspect storefront is read, by all copies together. */
const probeMs = 15_000;
/** The most storefronts of a store that are probed at a time; others take their turn. */
const probedAtOnce = 4;

/**
 * Reads a canary of every suspect storefront every 15 s, at the priority of the daily run, until the storefront is healthy
 * again. Without a suspect storefront it does nothing.
 */
export function createRecoveryProbes(deps: {
  doubt: StorefrontDoubt;
  probe: (storefront: Storefront, options: ReadOptions) => Promise<void>;
  clock: Clock;
}) {
  const { doubt, probe, clock } = deps;
  /** In the order of their turns. */
  const watched = new Map<string, Storefront>();
  const stopping = new AbortController();
  let cancelTimer: (() => void) | null = null;

  doubt.onSuspect((storefront) => {
    watched.set(storefrontKey(storefront), storefront);
    schedule();
  });

  function schedule(): void {
    if (cancelTimer !== null || stopping.signal.aborted || watched.size === 0) return;
    cancelTimer = clock.after(probeMs, () => {
      cancelTimer = null;
      void probeAll().finally(schedule);
    });
  }

  async function probeAll(): Promise<void> {
    const chosen = stores.flatMap((store) =>
      [...watched.values()].filter((storefront) => storefront.store === store).slice(0, probedAtOnce),
    );
    // A failed probe, such as one without the database, is repeated, and does not end the round of the others: those that are
    // being probed are not in `watched`, so that no next round would be planned for them.
    await Promise.allSettled(chosen.map(probeOne));
  }

  async function probeOne(storefront: Storefront): Promise<void> {
    const key = storefrontKey(storefront);
    watched.delete(key);
    const at = clock.now();
    // A little less than the interval, so that the timer of this copy is not late by a millisecond.
    const dueBefore = new Date(at.getTime() - probeMs + 1000);
    try {
      if (await doubt.storefronts.claimProbe(storefront, at, dueBefore))
        await probe(storefront, { signal: stopping.signal, urgency: forDailyRun });
    } finally {
      await doubt.read(storefront).catch(() => {});
      if (doubt.isKnownSuspect(storefront)) watched.set(key, storefront);
    }
  }

  return {
    stop(): void {
      stopping.abort();
      cancelTimer?.();
    },
  };
}
