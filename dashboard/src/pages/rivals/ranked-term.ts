import { type Figure, rankFigure, scoreFigure } from '../../figure.ts';
import type { Term } from './model.ts';

/** A term on whose result page an app stands, as the API answers. */
export type SpiedRow = {
  keyword: string;
  rank: number;
  rank_date: string;
  depth: number;
  stale: boolean;
  traffic_score: number | null;
  difficulty_score: number | null;
  kei: number | null;
  /** for any app of the account in the storefront */
  is_tracked: boolean;
};

export type RankedTerm = Term & { rank: Figure; day: string };

export function toRankedTerm(row: SpiedRow): RankedTerm {
  const score = (value: number | null) => scoreFigure(value, { isPartial: false, isBlocked: false });
  return {
    keyword: row.keyword,
    keywordId: null,
    isTracked: row.is_tracked,
    traffic: score(row.traffic_score),
    difficulty: score(row.difficulty_score),
    kei: score(row.kei),
    rank: rankFigure(row.rank, {
      depth: row.depth,
      day: row.rank_date,
      age: row.stale ? 'stale' : 'fresh',
    }),
    day: row.rank_date,
  };
}
