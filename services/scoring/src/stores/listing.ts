import type { Store } from '@shelfwise/facts/stores/store';
import type { CandidateRequests, Candidates } from '../domain/audit/advice/choose-candidates.ts';
import type { MadeTermsToAdd } from '../domain/audit/advice/terms-to-add.ts';
import type { ListingReading } from '../domain/listing-reading.ts';

/**
 * Scoring's own copy of a listing that is or was tracked or requested, or that is only a competitor. While `due_at`
 * is absent, the listing is dormant: its newest reading is stored, but it is not audited.
 */
export type Listing = {
  /** internal app id */
  _id: number;
  store: Store;
  country: string;
  lang: string;
  app_id: string;
  revision: number;
  read_at: Date;
  source: string;
  /** What the store shows. */
  content: ListingReading['content'];
  /** Since when the store does not list the app any more; null: it does. */
  unlisted_since: Date | null;
  /** The first UTC day on which it was followed, even if it was dormant in between; null: never followed. */
  followed_since_day: string | null;
  /**
   * Hash of the terms that were last stored and requested for it. Null: the next audit stores and requests them
   * again.
   */
  terms_hash: string | null;
  /** The terms that it might add; null: not chosen yet. */
  candidates: Candidates | null;
  /** Those that are measured for the words to add, and since when they are the same. */
  candidate_requests?: CandidateRequests | null;
  /**
   * Terms of its description that fill its basket, or are measured for this (`chooseDescribedTerms`); null: not chosen,
   * or the basket has enough without them.
   */
  described_terms: string[] | null;
  /** The advice of an audit, with which later ones of the day answer. */
  words_to_add?: MadeTermsToAdd | null;
  /** The next audit chooses candidates again. */
  is_choice_due?: boolean;
  /** Whether some of its terms were not measured when it was last audited. */
  has_pending_terms: boolean;
  /**
   * The last UTC day with an audit at or after the listing's own time of day. At first it is the day from which the
   * listing is followed here, because the readings of that day are incomplete. Null: none.
   */
  last_daily_audit_day: string | null;
  /** When a request last brought it up to date; tracking events do not count. */
  requested_at: Date | null;
  /** When the last audit started, finished or not; later than every earlier one. Absent: none started yet. */
  last_audit_started_at?: Date;
} & ListingPlan;

export type ListingPlan = {
  /** When it is audited next. While it is claimed or audited, when that expires. Absent: dormant. */
  due_at?: Date | null;
  /** Failed audits since the last one that succeeded. */
  failures: number;
  /** The claim of a worker (`JobQueue`) or of an audit for a user. Whatever makes the listing due ends it. */
  claimed_by?: string;
};

/** A listing that is or was followed. */
export type FollowedListing = Listing & { followed_since_day: string };

/** A listing as it was when its audit started, with the claim of that audit. */
export type ListingInAudit = FollowedListing & { last_audit_started_at: Date; claimed_by: string };

/** Which reading of a listing is stored, and when the listing is due. */
export type KnownListing = Pick<Listing, '_id' | 'revision' | 'read_at' | 'due_at'>;

/** Whether a reading is not newer than the known one. */
export function isKnown(
  known: Pick<Listing, 'revision' | 'read_at'>,
  { revision, read_at: readAt }: Pick<ListingReading, 'revision' | 'read_at'>,
): boolean {
  return known.revision > revision || (known.revision === revision && known.read_at >= readAt);
}
