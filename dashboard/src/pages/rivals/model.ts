import type { Figure, Model, Unknown } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';

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

export type RivalsModel = Model<{
  app: AppHead;
  /** those added last first; null: they could not be read */
  rivals: Rival[] | null;
  /** of the changes in the matrix */
  days: '1' | '7' | '30';
  /** null: there is nothing to compare with, or it could not be read */
  matrix: Matrix | null;
  /** why a part could not be read; null: it was, or it needs a competitor */
  missing: Record<'rivals' | 'matrix', Unknown | null>;
}>;
