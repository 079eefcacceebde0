/** The two stores, as the public API names them. */
export const stores = ['ITUNES', 'GPLAY'] as const;

export type Store = (typeof stores)[number];

/** As people call them. */
export const storeNames: Readonly<Record<Store, string>> = { ITUNES: 'App Store', GPLAY: 'Google Play' };

/** A store within a sentence: `from the App Store`, `from Google Play`. */
export function storeInSentence(store: Store): string {
  return store === 'ITUNES' ? `the ${storeNames[store]}` : storeNames[store];
}

export function isStore(value: string): value is Store {
  return (stores as readonly string[]).includes(value);
}
