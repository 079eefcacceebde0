import { searchVolume } from '@shelfwise/facts/search-volume';
import { round1 } from '../curve.ts';

/**
 * `rank`: from 1; null: not ranked. Undefined: no result page of the day or of the two days before was read, so the term is
 * left out.
 */
export type RankedTerm = { traffic: number; rank: number | null | undefined };

/** Click shares of ranks 1 to 10. (docs/scores.md, visibility) */
const shares = [0.3, 0.18, 0.12, 0.085, 0.06, 0.045, 0.033, 0.025, 0.019, 0.013] as const;
const lastShare = 0.013;
/** Apps ranked deeper get no clicks. */
const deepestRank = 100;
/** Below this share of all searches that are known, there is no score: few terms say little about a basket. */
const minKnownShare = 0.8;
/** Fewer terms say little about an app: a basket of the brand alone would be at 100 on the first day. */
export const minBasketTerms = 5;
/** Tolerance for floating-point errors in sums. */
const tiny = 1e-12;

/**
 * The share of its terms' searches that a listing reaches: 0 to 100, one decimal; 100 if it is first for all of them.
 * `V = round1(100 * sqrt(sum vol * ctr(rank) / sum vol * ctr(1)))` with `vol` as in `searchVolume`, over the terms with a
 * page. Null when the basket has fewer than five terms, or when those with a page have less than 80 % of the `vol` of all.
 * (docs/scores.md, visibility)
 * @param terms all terms of the basket
 */
export function visibility(terms: readonly RankedTerm[]): number | null {
  if (terms.length < minBasketTerms) return null;
  let met = 0;
  let known = 0;
  let all = 0;
  for (const { traffic, rank } of terms) {
    const searches = searchVolume(traffic);
    all += searches;
    if (rank === undefined) continue;
    known += searches;
    met += searches * clickShare(rank);
  }
  if (!isReadEnough(known, all)) return null;
  return visibilityOf(met, known);
}

/**
 * The visibility from sums over the terms with a page.
 * @param met `sum vol * ctr(rank)`
 * @param known `sum vol`, more than 0
 */
export function visibilityOf(met: number, known: number): number {
  return round1(100 * Math.sqrt(met / (known * clickShare(1))));
}

/** Whether the terms with a page have enough of the searches of all terms of a basket. */
export function isReadEnough(known: number, all: number): boolean {
  return known / all >= minKnownShare - tiny;
}

/** 0 to .3, falling with the rank. `rank` from 1; null: not ranked. */
export function clickShare(rank: number | null): number {
  if (rank === null || rank > deepestRank) return 0;
  return shares[rank - 1] ?? lastShare * (shares.length / rank) ** 1.5;
}
