import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import type { Importance } from '../domain/term-schedule.ts';
import type { TermKey } from './term-filters.ts';

/** A keyword in a storefront, with everything that was read and computed for it; shared by all accounts. */
export type Term = Storefront & {
  /** `termId(storefront, keyword)` */
  _id: string;
  /** normal form */
  keyword: string;
  /** An account tracks or tracked it: its scores are published to tracking. */
  is_tracked: boolean;
  /** The newest known result page: tracking's snapshot of the day, or a page that was read here. */
  ranking: Ranking | null;
  reading: KeywordReading;
  /** Null until one of its parts was read. */
  score: KeywordScore | null;
};

export type Ranking = {
  /** The UTC day on which the store was read. */
  day: string;
  read_at: Date;
  source: string;
  /** At most 100, in the store's order. */
  app_ids: string[];
};

/** The ranking on a result page of a keyword. */
export type PageOfTerm = TermKey & { ranking: Ranking };

/** A term that an audit or a draft needs. `isDaily`: its result page is read every day. */
export type MeasuringRequest = { keyword: string; importance: Importance; isDaily: boolean };
