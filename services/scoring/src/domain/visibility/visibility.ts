import { round1 } from '../curve.ts';

/** `rank`: from 1; null: not ranked; undefined: no result page was read, so the term is left out. */
export type RankedTerm = { traffic: number; rank: number | null | undefined };

/** Click shares of ranks 1 to 10. (docs/scores.md, visibility) */
const shares = [0.3, 0.18, 0.12, 0.085, 0.06, 0.045, 0.033, 0.025, 0.019, 0.013] as const;
const lastShare = 0.013;
/** Apps ranked deeper get no clicks. */
const deepestRank = 100;

/**
 * The share of its terms' searches that a listing reaches: 0 to 100, one decimal; 100 if it is first for all of them.
 * `V = round1(100 * sqrt(sum vol * ctr(rank) / sum vol * ctr(1)))` with `vol = exp(.0615 * traffic)`. (docs/scores.md,
 * visibility) Null when no term has a page.
 */
export function visibility(terms: readonly RankedTerm[]): number | null {
  let met = 0;
  let all = 0;
  for (const { traffic, rank } of terms) {
    if (rank === undefined) continue;
    const searches = Math.exp(0.0615 * traffic);
    met += searches * clickShare(rank);
    all += searches * clickShare(1);
  }
  return all === 0 ? null : round1(100 * Math.sqrt(met / all));
}

/** 0 to .3, falling with the rank. `rank` from 1; null: not ranked. */
export function clickShare(rank: number | null): number {
  if (rank === null || rank > deepestRank) return 0;
  return shares[rank - 1] ?? lastShare * (shares.length / rank) ** 1.5;
}
