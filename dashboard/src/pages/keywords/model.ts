import type { Figure, Model, Unknown } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';

export type KeywordRow = {
  id: string;
  keyword: string;
  isFavorite: boolean;
  rank: Figure;
  /** places gained in seven days; `status` says what has no number */
  change: Figure;
  status: 'up' | 'down' | 'same' | 'entered' | 'left' | null;
  /** ranks of the last days (`toSparkText`); null: beyond those that a page draws */
  spark: string | null;
  traffic: Figure;
  difficulty: Figure;
  /** demand against competition, 0 to 100 */
  kei: Figure;
  /** the first result of the page; its title is null when it could not be read; null: the page has no result */
  first: { title: string | null } | null;
  /** the UTC day of the snapshot */
  day: string;
};

export type KeywordsModel = Model<{
  app: AppHead;
  rows: KeywordRow[];
  /** the days of the small pictures; null: no row has one */
  days: { from: string; to: string } | null;
  /** why no row has a small picture; null: those of the first 100 are there */
  sparksMissing: Unknown | null;
  /** Whether the app has more keywords than the rows. */
  hasMore: boolean;
}>;
