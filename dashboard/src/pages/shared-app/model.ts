import type { Figure, Model } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';
import type { ChangedListing, Timeline } from '../../timeline.ts';
import type { AppModel } from '../app/model.ts';

/** The page of a link: one app, without anything else of its account. */
export type SharedAppModel = Model<{
  app: Omit<AppHead, 'id' | 'hasIcon'>;
  /** whether the data is the fictional catalog; null: not known */
  isSample: boolean | null;
  /** the UTC day of the newest rank; null: it shows none */
  readOn: string | null;
  /** when the link ends, ISO 8601 */
  endsAt: string;
  visibility: AppModel['visibility'];
  distribution: AppModel['distribution'];
  /** of its listing, the latest first */
  changes: ChangedListing[];
  hasMoreChanges: boolean;
  missing: Omit<AppModel['missing'], 'audit'> & Pick<Timeline['missing'], 'changes'>;
  ranks: {
    /** the days of the small pictures; null: they could not be read, and no row has one */
    days: { from: string; to: string } | null;
    /** `spark`: ranks of the last days (`toSparkText`); null: beyond those that a page draws */
    rows: { keyword: string; rank: Figure; spark: string | null; day: string }[];
    /** Whether the app has more keywords than the rows. */
    hasMore: boolean;
  };
}>;
