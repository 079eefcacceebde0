import { valueAt } from './value-at.ts';

/** Positions of the fields in use within a row of a search page or a top chart. */
const positions = { id: 0, icon: 1, title: 3, rating: 4, offer: 8, developer: 14 } as const;

/**
 * The row with the fields in use. The scraper fails on other fields of another type. It takes a price of null for free,
 * so an impossible price is left out with its currency.
 */
export function readableRow(row: unknown): unknown {
  const copy = Array(positions.developer + 1).fill(null);
  for (const position of Object.values(positions)) copy[position] = valueAt(row, [0, position]) ?? null;
  if (!isPrice(valueAt(copy, [positions.offer, 1, 0, 0]))) copy[positions.offer] = null;
  return [copy];
}

/** In millionths. */
export function isPrice(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}
