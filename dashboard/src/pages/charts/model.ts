import type { Figure, Model } from '../../figure.ts';

export type ChartRow = {
  /** its identifier in the store */
  appId: string;
  title: string | null;
  hasIcon: boolean;
  developer: string | null;
  rank: Figure;
  rating: Figure;
  /** places gained since the day before; `status` says what has no number */
  change: Figure;
  status: 'up' | 'down' | 'same' | 'entered' | null;
  /** an app of the account, or a competitor of one */
  mark: 'own' | 'rival' | null;
};

type Category = { key: string; label: string };

export type ChartsModel = Model<{
  /** the chart in the address */
  asked: { store: 'ITUNES' | 'GPLAY'; country: string; category: string; collection: string };
  collections: string[];
  /** empty: they could not be read */
  categories: { ITUNES: Category[]; GPLAY: Category[] };
  /** false: the marks of competitors are missing */
  areRivalsKnown: boolean;
  /** null: it has not been read today */
  chart: { day: string; readAt: string; rows: ChartRow[] } | null;
  /** why the chart cannot be shown; null: it can, or it has not been read today */
  problem: string | null;
}>;
