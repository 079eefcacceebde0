import type { Figure, Model, Unknown } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';
import type { Timeline } from '../../timeline.ts';

/** An app as tables name it. */
export type NamedApp = { appId: string; title: string | null; isOwn: boolean };

export type Rival = {
  /** of the relation, as the address names it */
  id: string;
  /** its identifier in the store */
  appId: string;
  title: string | null;
  /** whether the page compares with it */
  isCompared: boolean;
};

export type MatrixRow = {
  id: string;
  keyword: string;
  traffic: Figure;
  difficulty: Figure;
  /** one of each app, in their order; `change`: places gained, null: there is no rank on both days */
  ranks: { rank: Figure; change: Figure | null }[];
  /** the app with the best rank; null: none ranks */
  bestId: string | null;
  /** the UTC day of the snapshot */
  day: string;
};

export type Matrix = {
  /** the app, then those that it is compared with */
  apps: NamedApp[];
  rows: MatrixRow[];
  total: Figure;
  /** pages of rows; null: there is only one */
  pages: { at: string; count: string; previous: string | null; next: string | null } | null;
};

/** Shares and changes are in percent of what the apps on the result pages of the terms get of their searches. */
export type Voice = {
  /** the newest UTC day that was read; null: none yet */
  day: string | null;
  terms: Figure;
  termsRead: Figure;
  /** the largest, the app and its competitors; the largest share first */
  apps: {
    appId: string;
    title: string | null;
    mark: 'own' | 'rival' | null;
    share: Figure;
    change: Figure;
  }[];
  /** of all other apps together */
  others: Figure;
  /** UTC days without a gap, oldest first */
  days: string[];
  /** of the app and those that it is compared with; one share and one visibility (0 to 100) a day, over the same terms */
  lines: (NamedApp & { shares: Figure[]; visibilities: Figure[] })[];
};

/** A term that a page offers to track. */
export type Term = {
  keyword: string;
  /** of the keyword that the app tracks; null: it tracks none, or it is not known whether */
  keywordId: string | null;
  /** whether an app of the account tracks it */
  isTracked: boolean;
  traffic: Figure;
  difficulty: Figure;
  kei: Figure;
};

export type GapRow = Term & {
  ownRank: Figure;
  rivals: { appId: string; title: string | null; rank: Figure }[];
  /** the part of the searches that the app would gain at the rank that is in reach */
  gain: Figure;
  value: Figure;
  /** the UTC day of the result page; of a term that is not tracked, the Monday of its week */
  day: string;
};

/** What a list of terms was made from. */
export type Kept = {
  /** result pages, and the oldest of their UTC days */
  pages: Figure;
  oldestDay: string | null;
  /** terms that could not be judged: their page is not kept, or not read deep enough */
  unread: Figure;
  /** whether only the pages of the terms with the most traffic were looked at */
  isTruncated: boolean;
  /** whether there are more terms than the rows */
  hasMore: boolean;
};

export type Gap = {
  /** the most valuable first */
  rows: GapRow[];
  /** why there is no row, as the API names it; null: there are some */
  reason: string | null;
  kept: Kept;
};

export type RivalsModel = Model<{
  app: AppHead;
  /** those added last first; null: they could not be read */
  rivals: Rival[] | null;
  /** of the changes in the matrix */
  days: '1' | '7' | '30';
  /** null: there is nothing to compare with, or it could not be read */
  matrix: Matrix | null;
  /** null: there is nothing to compare with, or it could not be read */
  gap: Gap | null;
  /** null: it could not be read */
  voice: Voice | null;
  /** own changes and notes, which the charts mark */
  timeline: Pick<Timeline, 'notes' | 'changes'>;
  /** why a part could not be read; null: it was, or it needs a competitor */
  missing: Record<'rivals' | 'matrix' | 'gap' | 'voice', Unknown | null>;
}>;
