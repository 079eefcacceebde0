import type { Figure, Model } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';

/** An app with what a person looks for first. Ranks are those of the latest snapshots. */
export type OverviewRow = AppHead & {
  /** ASO Health, 0 to 100 */
  health: Figure;
  /** points of `health` since the audit of that earlier UTC day; `since` null: `points` says why there is none. Null: no audit yet */
  healthChange: { points: Figure; since: string | null } | null;
  /** the tier of the app's size, 1 to 3 as a text; null: no audit yet */
  tier: string | null;
  /**
   * How much of the searches for its terms the app reaches, 0 to 100: `newest` of the last 30 days. `byDay`: from one UTC day to
   * another, one entry a day (`toDayTexts`); null: none has a value, and `newest` says why.
   */
  visibility: { newest: Figure; byDay: { from: string; to: string; values: string } | null };
  keywords: Figure;
  /** tracked keywords that rank in the top 3, 10 and 30 */
  top3: Figure;
  top10: Figure;
  top30: Figure;
  /** the most places that a keyword lost between its last two readings; 0: none lost any; does not apply: it has no keywords */
  drop: Figure;
  /** the keyword of `drop`, and the day of the reading before; null: none */
  dropped: { keywordId: string; keyword: string; sinceDay: string | null } | null;
  /** the UTC day of the newest rank; null: none yet */
  readOn: string | null;
  /** ISO 8601; null: no audit yet */
  auditedAt: string | null;
};

export type OverviewModel = Model<{
  rows: OverviewRow[];
  /** What is new since the last visit, which ended at `endedAt`; null: there was none. `up` and `down`: between the last two readings. */
  visit: { endedAt: string; read: Figure; up: Figure; down: Figure } | null;
  /** The account's keywords: read today, to be read today, and not read for two days or more. */
  run: { read: Figure; waiting: Figure; late: Figure };
  /** API requests of this month; `limit` does not apply: the plan has none. Null: not known. */
  quota: { used: Figure; limit: Figure; renewsAt: string } | null;
  /** Apps of the fictional catalog to begin with; only on it, and only while no app is tracked. */
  suggestions: { storeId: string; title: string }[];
}>;
