/** The two stores, as the public API names them. */
export const stores = ['ITUNES', 'GPLAY'] as const;

export type Store = (typeof stores)[number];

/** As people call them. */
export const storeNames: Readonly<Record<Store, string>> = { ITUNES: 'App Store', GPLAY: 'Google Play' };

export function isStore(value: string): value is Store {
  return (stores as readonly string[]).includes(value);
}
