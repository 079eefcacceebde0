import { rankOn } from '../audit/axes/term-page.ts';
import { round1, round2 } from '../curve.ts';
import { rankFrom, type SeenPage } from './seen-page.ts';

/** Which ranks make a gap. */
export type GapLimits = {
  /** The worst rank at which a rival counts, from 1. */
  rivalMaxRank: number;
  /** The best rank of the app, from 1. */
  ownMinRank: number;
};

export type RivalRank = { app_id: string; rank: number };

/** How an app and its rivals rank for a term of the gap. */
export type Gap = {
  /** null: not among the results of the page */
  ownRank: number | null;
  /** the best first; at least one */
  rivals: RivalRank[];
};

/**
 * How a page shows a gap: a rival ranks at `rivalMaxRank` or better, and the app at `ownMinRank` or worse or not at all. Null: it
 * shows none. `no_rival`: no rival ranks well enough. `too_shallow`: one does, and the page is not read as deep as `ownMinRank`.
 */
export function gapOn(
  page: Pick<SeenPage, 'app_ids' | 'is_cut'>,
  app: { appId: string; rivalIds: readonly string[] },
  { rivalMaxRank, ownMinRank }: GapLimits,
): Gap | null | 'no_rival' | 'too_shallow' {
  const rivals: RivalRank[] = [];
  for (const id of app.rivalIds) {
    const rank = rankOn(page, id);
    if (rank !== null && rank <= rivalMaxRank) rivals.push({ app_id: id, rank });
  }
  if (rivals.length === 0) return 'no_rival';
  const ownRank = rankFrom(ownMinRank, page, app.appId);
  if (ownRank === 'unknown') return 'too_shallow';
  return ownRank === 'better' ? null : { ownRank, rivals: rivals.sort((a, b) => a.rank - b.rank) };
}

/**
 * What a term is worth to an app: `value = KEI * gain`, with the KEI as published and the gain rounded to two decimals, so that a
 * reader can compute it again. (docs/scores.md, KEI and relevance)
 * @param kei 0 to 100; null: a score is unknown
 * @param gain 0 to 1; null: unknown
 */
export function gapValue(kei: number | null, gain: number | null): number | null {
  return kei === null || gain === null ? null : round1(kei * round2(gain));
}
