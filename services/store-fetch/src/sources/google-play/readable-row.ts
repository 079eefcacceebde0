import { valueAt } from './value-at.ts';

/** Positions of the fields in use within a row of a search page or a top chart. */
const places = { id: 0, icon: 1, title: 3, rating: 4, offer: 8, developer: 14 } as const;

/**
 * The row with the fields in use. The scraper fails on other fields of another type, and takes a price of null for free:
 * a price that cannot be one is left out with its currency.
 */
export function readableRow(row: unknown): unknown {
  const copy = Array(places.developer + 1).fill(null);
  for (const place of Object.values(places)) copy[place] = valueAt(row, [0, place]) ?? null;
  if (!isPrice(valueAt(copy, [places.offer, 1, 0, 0]))) copy[places.offer] = null;
  return [copy];
}

/** In millionths. */
export function isPrice(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}
