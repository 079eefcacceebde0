import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import type { Importance } from '../domain/term-schedule.ts';
import { packIds } from './packed-ids.ts';
import type { TermKey } from './term-filters.ts';

/** A keyword in a storefront, with everything that was read and computed for it; shared by all accounts. */
export type Term = Storefront & {
  /** `termId(storefront, keyword)` */
  _id: string;
  /** normal form */
  keyword: string;
  /** The `formOf` of the keyword, as of its last measurement. */
  form?: string;
  /** An account tracks or tracked it: its scores are published to tracking. */
  is_tracked: boolean;
  /**
   * Until when an audit needs it because a text that a store shows has the term, or because it was chosen from such texts. Until
   * then, that it is measured tells nothing about an account; later it may. Absent: always.
   */
  public_until?: Date;
  /** Of a public term: what accounts see that do not track it (`publicPageAfter`). Absent: none was read since it is public. */
  public_page?: PublicPage;
  /** The newest known result page: tracking's snapshot of the day, or a page that was read here. */
  ranking: Ranking | null;
  reading: KeywordReading;
  /** Null until one of its parts was read. */
  score: KeywordScore | null;
  /**
   * The store is well and shows no results for it, which is not believed yet (store-fetch). Until it is, the term is
   * pending, and nothing waits for it. Absent: false.
   */
  has_unproven_page?: boolean;
};

export type Ranking = {
  /** The UTC day on which the store was read. */
  day: string;
  read_at: Date;
  source: string;
  /** As of a `ResultPage`. */
  is_suspect?: true;
  /** At most 100, in the store's order. */
  app_ids: string[];
  /** That of tracking's snapshot; absent: 1, or a page that was read here. */
  revision?: number;
  /**
   * All `app_ids` in one text (`packIds`), for lists of thousands of pages. `toRanking` sets it. It is part of the ranking, so that a
   * version that does not know it removes it with the page. Absent: such a version wrote the page.
   */
  packed_ids?: string;
  /** Whether `app_ids` is empty, for filters; absent: false. `toRanking` sets it. */
  is_empty?: boolean;
};

/** Terms are found by the apps on this many first ranks of their public pages (`findPublicTerms`, `kept-page-store.ts`). */
export const firstIds = 30;

/** A result page, with the scores that came with it. */
export type PublicPage = Pick<Ranking, 'day' | 'read_at'> & {
  /** Since when accounts see it (`shownSince`): after `read_at`, if it was read for another reason. */
  shown_at: Date;
  /** When it is replaced, if that is before its week is over, because its scores are not complete. */
  due_at?: Date;
  /** The first 30 of the page, for the index. */
  first_ids: string[];
  /** The same ids in one text (`packIds`), for lists of thousands of pages. */
  packed_ids: string;
  score: ListedScore;
};

/** What lists of terms read of a score. */
export type ListedScore = Pick<
  KeywordScore,
  | 'scored_at'
  | 'traffic'
  | 'is_partial'
  | 'difficulty'
  | 'search_status'
  | 'brand'
  | 'suspected_brand'
  | 'results'
  | 'genres'
>;

/** The ranking on a page with these apps. */
export function toRanking(
  origin: Pick<Ranking, 'day' | 'read_at' | 'source'>,
  appIds: string[],
  revision = 1,
): Ranking {
  const { day, read_at, source } = origin;
  const ranking: Ranking = {
    day,
    packed_ids: packIds(appIds),
    read_at,
    source,
    app_ids: appIds,
  };
  if (revision > 1) ranking.revision = revision;
  if (appIds.length === 0) ranking.is_empty = true;
  return ranking;
}

/** The ranking on a result page of a keyword. */
export type PageOfTerm = TermKey & { ranking: Ranking };

/** A term that an audit or a draft needs. `isDaily`: its result page is read every day. */
export type MeasuringRequest = {
  keyword: string;
  importance: Importance;
  isDaily: boolean;
  /** The first audit of a listing waits for it: until it is read it is as urgent as a tracked one. */
  isAwaited?: boolean;
  /** It counts for `Term.public_until`; absent: it may tell something about an account. */
  isPublic?: boolean;
};
