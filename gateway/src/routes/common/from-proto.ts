import { isStore, type Store } from '@shelfwise/facts/stores/store';
import type { Storefront as Market } from '@shelfwise/facts/stores/storefront';
import type { Storefront } from '@shelfwise/proto/store/v1/storefront';

/** A store as a service names it. @throws when it names none: a service may not answer so */
export function toStore(store: string): Store {
  if (!isStore(store)) throw new Error(`a service answered with the store ${store}`);
  return store;
}

/** @throws when a service left out a time that is always there */
export function toTimestamp(at: Date | null): string {
  if (at === null) throw new Error('a service answered without a time');
  return at.toISOString();
}

/** @throws when a service left out a storefront that is always there */
export function toMarket(storefront: Storefront | null): Market {
  if (storefront === null) throw new Error('a service answered without a storefront');
  const { store, country, lang } = storefront;
  return { store: toStore(store), country, lang };
}
