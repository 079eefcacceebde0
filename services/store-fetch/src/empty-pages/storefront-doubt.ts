import { type Storefront, storefrontKey, storefrontOf } from '@shelfwise/facts/stores/storefront';
import type {
  DoubtedStorefront,
  DoubtedStorefrontStore,
  DoubtSign,
} from '../stores/doubted-storefront-store.ts';

/**
 * A suspect storefront is healthy again after this time without a sign, and this number of pages with results. A store
 * that sends every third page empty shows 16 good ones in a row with a probability of 0.3 %. Both take less than five minutes
 * of probes.
 */
const healthyAfterMs = 4 * 60_000;
const healthyAfterPages = 16;

const hourMs = 3_600_000;
/** Pages that shrink within an hour until the storefront is suspect. */
const shrunkPages = 5;
/** The most suspect storefronts that this process knows of: more than there are of both stores in one language each. */
const maxListed = 500;

export type StorefrontDoubt = ReturnType<typeof createStorefrontDoubt>;

/**
 * Which storefronts are suspect: they show signs of wrong result pages, so no empty page is believed there. The state is in
 * the database, for all copies. `onSuspect` gets every suspect storefront that this copy learns of.
 */
export function createStorefrontDoubt(deps: {
  storefronts: DoubtedStorefrontStore;
  now: () => Date;
  onSign?: (storefront: Storefront, sign: DoubtSign) => void;
}) {
  const { storefronts, now, onSign = () => {} } = deps;
  /** The suspect storefronts as far as this copy knows, by key. */
  const suspect = new Map<string, Storefront>();
  let onSuspect: (storefront: Storefront) => void = () => {};

  function mirror(storefront: Storefront, isSuspect: boolean): void {
    const key = storefrontKey(storefront);
    if (!isSuspect) {
      suspect.delete(key);
      return;
    }
    if (suspect.has(key)) return;
    suspect.set(key, storefrontOf(storefront));
    onSuspect(storefrontOf(storefront));
  }

  async function addSign(storefront: Storefront, sign: DoubtSign): Promise<void> {
    await storefronts.addSign(storefront, sign, now());
    mirror(storefront, true);
    onSign(storefront, sign);
  }

  return {
    addSign,

    /** The state in the database; null when the storefront has never shown a sign. */
    async read(storefront: Storefront): Promise<DoubtedStorefront | null> {
      const state = await storefronts.find(storefront);
      mirror(storefront, state?.is_suspect ?? false);
      return state;
    },

    /** As far as this copy knows. */
    isKnownSuspect: (storefront: Storefront) => suspect.has(storefrontKey(storefront)),

    /** All suspect storefronts, of all copies. */
    async list(): Promise<DoubtedStorefront[]> {
      const rows = await storefronts.listSuspect(maxListed);
      const keys = new Set(rows.map(storefrontKey));
      for (const [key, storefront] of suspect) if (!keys.has(key)) mirror(storefront, false);
      for (const row of rows) mirror(row, true);
      return rows;
    },

    /** A page with results, of its usual size. */
    async addGoodPage(storefront: Storefront, readAt: Date): Promise<void> {
      if (!suspect.has(storefrontKey(storefront))) return;
      const state = await storefronts.addGoodPage(storefront, readAt);
      if (!state?.last_sign_at || state.good_pages < healthyAfterPages) return;
      if (readAt.getTime() - state.last_sign_at.getTime() < healthyAfterMs) return;
      await storefronts.clear(storefront, state.last_sign_at);
      mirror(storefront, (await storefronts.find(storefront))?.is_suspect ?? false);
    },

    /** A page with results that has shrunk by two thirds. Those of five terms within an hour are a sign. */
    async addShrunkPage(storefront: Storefront, term: string): Promise<void> {
      const at = now();
      const state = await storefronts.find(storefront);
      if (state?.is_suspect) mirror(storefront, true);
      const recent = (state?.shrunk ?? []).filter(
        (page) => page.term !== term && at.getTime() - page.at.getTime() < hourMs,
      );
      const shrunk = [...recent, { term, at }];
      if (shrunk.length >= shrunkPages) await addSign(storefront, 'shrunk');
      else await storefronts.saveShrunk(storefront, shrunk);
    },

    storefronts,

    /** At most one listener. */
    onSuspect(listener: (storefront: Storefront) => void): void {
      onSuspect = listener;
      for (const storefront of suspect.values()) listener(storefront);
    },
  };
}
