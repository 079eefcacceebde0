import type { Figure, Model } from '../../figure.ts';
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
  /** the first result of the page */
  first: string | null;
  /** the UTC day of the snapshot */
  day: string;
};

export type KeywordsModel = Model<{
  app: AppHead;
  rows: KeywordRow[];
  /** the days of the small pictures; null: they could not be read, and no row has one */
  days: { from: string; to: string } | null;
  /** Whether the app has more keywords than the rows. */
  hasMore: boolean;
}>;
