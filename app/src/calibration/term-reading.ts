import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ScoredTerm } from '@shelfwise/proto/scoring/v1/scoring';

/** The scores that can be compared with known values. */
export const scoreNames = ['traffic', 'difficulty', 'kei'] as const;

export type ScoreName = (typeof scoreNames)[number];

/** What the scoring service answered for a term. Null: unknown. Times are ISO 8601. */
export type TermReading = {
  storefront: Storefront;
  /** in normal form */
  term: string;
  traffic: number | null;
  difficulty: number | null;
  kei: number | null;
  /** the traffic was computed without the store's suggestions */
  is_partial: boolean;
  /** the suggestions are known only after a second look, at least ten minutes after the first one */
  is_second_look_due: boolean;
  /** of the first app of the result page; null also when there is no app */
  first_app_ratings: number | null;
  /** when the result page was read */
  read_at: string | null;
  /** sample, app-store or google-play */
  source: string;
  scoring_version: number;
};

/** Keeps of a scored term what a report needs. */
export function toTermReading(storefront: Storefront, term: string, scored: ScoredTerm): TermReading {
  return {
    storefront,
    term,
    traffic: scored.traffic ?? null,
    difficulty: scored.difficulty ?? null,
    kei: scored.kei ?? null,
    is_partial: scored.is_partial,
    is_second_look_due: scored.is_second_look_due,
    first_app_ratings: scored.top[0]?.ratings ?? null,
    read_at: scored.read_at?.toISOString() ?? null,
    source: scored.source,
    scoring_version: scored.scoring_version,
  };
}

/** Why the score of a reading cannot be compared, as a phrase; null if it can. */
export function missingScoreReason(reading: TermReading, score: ScoreName): string | null {
  if (reading[score] === null) return `the ${scoreTitle(score)} is unknown`;
  const needsSuggestions = score !== 'difficulty' && !hasNoAutocomplete(reading.storefront);
  return needsSuggestions && reading.is_partial
    ? `the ${scoreTitle(score)} is partial: the suggestions of the store are not known`
    : null;
}

/** The name of a score in a sentence. */
export function scoreTitle(score: ScoreName): string {
  return score === 'kei' ? 'KEI' : score;
}
