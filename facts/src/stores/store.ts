/** The two stores, as the public API names them. */
export const stores = ['ITUNES', 'GPLAY'] as const;

export type Store = (typeof stores)[number];

/** The store names for people. */
export const storeNames: Readonly<Record<Store, string>> = { ITUNES: 'App Store', GPLAY: 'Google Play' };

/** The name of a store within a sentence: `from the App Store`, `from Google Play`. */
export function storeInSentence(store: Store): string {
  return store === 'ITUNES' ? `the ${storeNames[store]}` : storeNames[store];
}

export function isStore(value: string): value is Store {
  return (stores as readonly string[]).includes(value);
}
