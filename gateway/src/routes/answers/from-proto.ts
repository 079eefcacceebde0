import { isStore, type Store } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Storefront as StorefrontMessage } from '@shelfwise/proto/store/v1/storefront';

/** @throws for an unknown store, which no reply may contain */
export function toStore(store: string): Store {
  if (!isStore(store)) throw new Error(`the reply of a service has the unknown store ${store}`);
  return store;
}

/** @throws when the time is missing from a service's reply */
export function toTimestamp(at: Date | null): string {
  if (at === null) throw new Error('the reply of a service has no time');
  return at.toISOString();
}

/** @throws when the storefront is missing from a service's reply */
export function toStorefront(storefront: StorefrontMessage | null): Storefront {
  if (storefront === null) throw new Error('the reply of a service has no storefront');
  const { store, country, lang } = storefront;
  return { store: toStore(store), country, lang };
}
