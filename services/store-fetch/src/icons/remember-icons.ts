import type { Store } from '@shelfwise/facts/stores/store';
import { LRUCache } from 'lru-cache';
import type { StoreReads } from '../source.ts';
import type { IconAddressStore } from '../stores/icon-address-store.ts';

/** Of the longest addresses that stores write, several times. A longer one is not kept. */
const maxAddressLength = 500;
/** Apps whose address this process has written or found: 5 to 10 MB. Others are written again. */
const knownApps = 20_000;
/** An address that is still shown is written again after this time, long before the row is deleted. */
const rewriteMs = 7 * 24 * 3_600_000;

type Shown = { app_id: string; icon: string | null };

/** The reads of a source, which keep the addresses of the icons in their answers. No read waits for that, or fails with it. */
export function rememberIcons(
  source: StoreReads,
  { icons, now }: { icons: Pick<IconAddressStore, 'save'>; now: () => Date },
): StoreReads {
  const known = new LRUCache<string, { address: string; writtenMs: number }>({ max: knownApps });

  function note(store: Store, apps: readonly Shown[]): void {
    const at = now();
    const isKnown = (appId: string, address: string) => {
      const last = known.get(`${store} ${appId}`);
      return last?.address === address && at.getTime() - last.writtenMs < rewriteMs;
    };
    const changed = apps.flatMap(({ app_id: appId, icon: address }) =>
      address !== null && address.length <= maxAddressLength && !isKnown(appId, address)
        ? [{ appId, address }]
        : [],
    );
    if (changed.length === 0) return;
    for (const { appId, address } of changed)
      known.set(`${store} ${appId}`, { address, writtenMs: at.getTime() });
    // A lost database has stopped the reads already; the next answer writes them again.
    icons.save(store, changed, at).catch(() => {
      for (const { appId } of changed) known.delete(`${store} ${appId}`);
    });
  }

  return {
    ...source,
    async search(storefront, ...rest) {
      const page = await source.search(storefront, ...rest);
      note(storefront.store, page.apps);
      return page;
    },
    async getListing(storefront, ...rest) {
      const found = await source.getListing(storefront, ...rest);
      note(storefront.store, [found.listing]);
      return found;
    },
    async getListings(storefront, ...rest) {
      const results = await source.getListings(storefront, ...rest);
      note(
        storefront.store,
        results.flatMap(({ outcome }) => ('listing' in outcome ? [outcome.listing] : [])),
      );
      return results;
    },
    async chart(storefront, ...rest) {
      const page = await source.chart(storefront, ...rest);
      note(storefront.store, page.apps);
      return page;
    },
  };
}
