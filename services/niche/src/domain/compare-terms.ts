import type { NicheTerm } from './niche-term.ts';

/** By code units, the same on every machine: for `sort`. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Most traffic first, ties in the order of the normal form: for `sort`. (spec: scoring, common rules) */
export function compareTerms(a: NicheTerm, b: NicheTerm): number {
  return b.traffic - a.traffic || compareText(a.keyword, b.keyword);
}
