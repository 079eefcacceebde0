import { storefrontKey } from '@shelfwise/facts/stores/storefront';
import type { DoubtedStorefront, DoubtedStorefrontStore } from '../src/stores/doubted-storefront-store.ts';
import type { SearchTerm, SearchTermStore } from '../src/stores/search-term-store.ts';

/** What is remembered of terms, in memory; as the database answers it. */
export function createMemorySearchTerms(): SearchTermStore {
  const rows = new Map<string, { storefront: string; row: SearchTerm }>();
  return {
    find: async (storefront, term) => rows.get(`${storefrontKey(storefront)} ${term}`)?.row ?? null,
    async save(storefront, row) {
      rows.set(`${storefrontKey(storefront)} ${row.term}`, { storefront: storefrontKey(storefront), row });
    },
    listWithResults: async (storefront, since, limit) =>
      [...rows.values()]
        .filter((known) => known.storefront === storefrontKey(storefront))
        .map(({ row }) => row)
        .filter(({ results_at: at }) => at !== null && at >= since)
        .sort((a, b) => (b.results_at?.getTime() ?? 0) - (a.results_at?.getTime() ?? 0))
        .slice(0, limit),
  };
}

/** The storefronts that have shown signs, in memory; as the database answers it. */
export function createMemoryDoubtedStorefronts(): DoubtedStorefrontStore {
  const rows = new Map<string, DoubtedStorefront>();
  const blank = { is_suspect: false, sign: null, suspect_since: null, last_sign_at: null } as const;
  const get = (storefront: Parameters<DoubtedStorefrontStore['find']>[0]): DoubtedStorefront =>
    rows.get(storefrontKey(storefront)) ?? {
      ...storefront,
      ...blank,
      good_pages: 0,
      probed_at: null,
      shrunk: [],
    };
  const set = (row: DoubtedStorefront) => rows.set(storefrontKey(row), row);
  return {
    find: async (storefront) => rows.get(storefrontKey(storefront)) ?? null,
    listSuspect: async (limit) => [...rows.values()].filter((row) => row.is_suspect).slice(0, limit),
    async addSign(storefront, sign, at) {
      const row = get(storefront);
      const suspectSince = row.is_suspect ? row.suspect_since : at;
      set({
        ...row,
        is_suspect: true,
        sign,
        suspect_since: suspectSince,
        last_sign_at: at,
        good_pages: 0,
        shrunk: [],
      });
    },
    async saveShrunk(storefront, shrunk) {
      set({ ...get(storefront), shrunk: [...shrunk] });
    },
    async addGoodPage(storefront, readAt) {
      const row = get(storefront);
      if (!row.is_suspect || (row.last_sign_at !== null && row.last_sign_at >= readAt)) return null;
      const next = { ...row, good_pages: row.good_pages + 1 };
      set(next);
      return next;
    },
    async clear(storefront, lastSignAt) {
      const row = get(storefront);
      if (row.last_sign_at?.getTime() === lastSignAt.getTime()) set({ ...row, is_suspect: false });
    },
    async claimProbe(storefront, at, dueBefore) {
      const row = get(storefront);
      if (!row.is_suspect || (row.probed_at !== null && row.probed_at > dueBefore)) return false;
      set({ ...row, probed_at: at });
      return true;
    },
  };
}
