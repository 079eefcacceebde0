/** The two stores, as the public API names them. */
export const stores = ['ITUNES', 'GPLAY'] as const;

export type Store = (typeof stores)[number];

export function isStore(value: string): value is Store {
  return (stores as readonly string[]).includes(value);
}
