import { type Figure, numberOf } from '../../figure.ts';

/** The direction of a change; null: it is not known. */
export function statusOf(change: Figure): 'up' | 'down' | 'same' | null {
  const value = numberOf(change);
  if (value === null) return null;
  if (value === 0) return 'same';
  return value > 0 ? 'up' : 'down';
}
