import { type Store, stores } from '@shelfwise/facts/stores/store';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { CallObserver } from '../budget/call-with-budget.ts';
import type { Endpoint } from '../store-health/endpoints.ts';
import type { StoreStateStore } from '../stores/store-state-store.ts';

/** What ranks are read from. */
export const resultPages: Readonly<Record<Store, Endpoint>> = {
  ITUNES: 'itunes-search',
  GPLAY: 'play-search',
};

/** A store whose result pages fail for this long is away. Shorter breaks are bridged by retries. */
const outageMs = 30 * 60_000;
/**
 * How often a copy that reads a store says so. Shorter than an outage: a copy whose own addresses are refused then knows that
 * others are not.
 */
const saveEveryMs = 10 * 60_000;

type Call = Pick<Parameters<CallObserver['onCall']>[0], 'endpoint' | 'outcome' | 'requestId'>;

/**
 * Tells an outage of a store from the outcomes of its calls: result pages fail without a success in between, and every breaker is
 * open. Nothing runs while no call is made. `isOpen`: whether the breakers of a store's result pages are open on all addresses.
 */
export function createStoreOutages(deps: {
  states: Pick<StoreStateStore, 'recordRead' | 'recordOutage'>;
  isOpen: (store: Store) => boolean;
  now: () => Date;
  logger: Pick<Logger, 'warn'>;
}) {
  const { states, isOpen, now, logger } = deps;
  /** When the failures since the last success began. */
  const failingSince = new Map<Store, Date>();
  /** When a success was stored last. */
  const savedAt = new Map<Store, Date>();
  /** The stores whose outage is stored. */
  const away = new Set<Store>();
  let writing: Promise<void> = Promise.resolve();

  /** One write after the other, so that an outage and its end keep their order. */
  function write(store: Store, save: () => Promise<void>): void {
    writing = writing.then(save).catch((err: unknown) => {
      // The next call tries again.
      away.delete(store);
      savedAt.delete(store);
      logger.warn({ err, store }, 'whether a store can be read could not be stored');
    });
  }

  function onSuccess(store: Store, seen: { at: Date; requestId: string }): void {
    failingSince.delete(store);
    const saved = savedAt.get(store);
    if (!away.delete(store) && saved && seen.at.getTime() - saved.getTime() < saveEveryMs) return;
    savedAt.set(store, seen.at);
    write(store, () => states.recordRead(store, seen));
  }

  function onFailure(store: Store, seen: { at: Date; requestId: string }): void {
    const since = failingSince.get(store) ?? seen.at;
    failingSince.set(store, since);
    if (away.has(store) || seen.at.getTime() - since.getTime() < outageMs || !isOpen(store)) return;
    away.add(store);
    write(store, async () => {
      if (!(await states.recordOutage(store, since, seen))) away.delete(store);
    });
  }

  return {
    onCall({ endpoint, outcome, requestId = 'store-fetch' }: Call): void {
      const store = stores.find((one) => resultPages[one] === endpoint);
      // An abandoned call says nothing about the store.
      if (store === undefined || outcome === 'abandoned') return;
      const seen = { at: now(), requestId };
      if (outcome === 'ok') onSuccess(store, seen);
      else onFailure(store, seen);
    },

    /** Resolves when everything seen so far is stored. */
    settled: () => writing,
  };
}
