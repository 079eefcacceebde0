import type { Figure, Model, Unknown } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';
import type { Timeline } from '../../timeline.ts';
import type { KeywordRow } from '../keywords/model.ts';

/** One of the first results, or the own app at its rank. */
export type Result = {
  /** its identifier in the store */
  appId: string;
  rank: Figure;
  title: string | null;
  /** whether the store may have shown one */
  hasIcon: boolean;
  isOwn: boolean;
  ratings: Figure;
};

/** A part of a score. `name`: as in its formula; `value` from 0 to 1; `points`: what it adds to the score, of at most `maxPoints`. */
export type ScorePart = { name: string; value: Figure; points: Figure; maxPoints: Figure };

/** What a score was computed from. `age` in days. */
export type ScoreInput = {
  name: string;
  note: string;
  readAt: string | null;
  source: string | null;
  age: Figure;
};

/** The scores of one UTC day, and the scoring version that computed them. */
export type ScoreDay = { day: string; traffic: Figure; difficulty: Figure; version: string };

export type KeywordModel = Model<{
  app: AppHead;
  keyword: { id: string; text: string; isFavorite: boolean };
  from: string;
  to: string;
  rank: Figure;
  /** of the rank in seven days: `places` gained since that UTC day; `status` says what has no number */
  change: { places: Figure; status: KeywordRow['status']; since: string };
  traffic: Figure;
  difficulty: Figure;
  kei: Figure;
  /** the KEI in a word, and what holds it down, if anything; null: no KEI, or the scores could not be opened */
  keiRating: {
    level: 'excellent' | 'good' | 'fair' | 'poor';
    reason: KeywordRow['keiReason'];
  } | null;
  /** the UTC day since when the store refuses to be read; null: it is read */
  blockedFrom: string | null;
  /** ranks by day, the own app first */
  series: { id: string; name: string; isOwn: boolean; read: { date: string; rank: Figure }[] }[];
  timeline: Timeline;
  /** the first ten, then the own app if it ranks deeper */
  results: Result[];
  /** why there are only the first five: no scores yet, or scores of another result page; null: there are all ten */
  resultsMissing: 'not_scored' | 'other_page' | null;
  /** keywords of the titles that rank, most traffic first; null: no result page is kept */
  related: { keyword: string; traffic: Figure }[] | null;
  trafficParts: ScorePart[];
  difficultyParts: ScorePart[];
  /** what else decided the scores, in sentences */
  notes: string[];
  inputs: ScoreInput[];
  /** of the days between `from` and `to` on which it was measured, oldest first; null: the scores could not be opened */
  scoreHistory: ScoreDay[] | null;
  scoringVersion: string | null;
  /** why the scores could not be opened; null: they were */
  scoresMissing: Unknown | null;
  /** when the scores were computed, ISO 8601; null: not yet */
  scoredAt: string | null;
  /** the UTC day of the first results */
  resultsDay: string;
}>;
