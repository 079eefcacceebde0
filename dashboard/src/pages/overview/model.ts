import type { Figure, Model } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';

/** An app with what a person looks for first. Ranks are those of the latest snapshots. */
export type OverviewRow = AppHead & {
  /** ASO Health, 0 to 100 */
  health: Figure;
  keywords: Figure;
  /** tracked keywords that rank in the top 3, 10 and 30 */
  top3: Figure;
  top10: Figure;
  top30: Figure;
  /** ISO 8601; null: no audit yet */
  auditedAt: string | null;
};

export type OverviewModel = Model<{
  rows: OverviewRow[];
  /** Apps of the fictional catalog to begin with; only on it, and only while no app is tracked. */
  suggestions: { storeId: string; title: string }[];
}>;
