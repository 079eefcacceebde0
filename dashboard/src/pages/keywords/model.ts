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
  traffic: Figure;
  difficulty: Figure;
  /** demand against competition, 0 to 100 */
  kei: Figure;
  /** what holds the KEI down (`search_unknown`: it is not known whether people search for the keyword); null: nothing that is known, or no KEI */
  keiReason: 'no_results' | 'unsearched' | 'search_unknown' | 'brand' | 'few_results' | null;
  /** the first result of the page; its title is null when it could not be read; null: the page has no result */
  first: { title: string | null } | null;
  /** the UTC day of the snapshot */
  day: string;
};

export type KeywordsModel = Model<{
  app: AppHead;
  rows: KeywordRow[];
  /** Whether the app has more keywords than the rows. */
  hasMore: boolean;
}>;
