import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { KeywordScore } from '../keyword/keyword-score.ts';
import type { Neighbors } from './axes/neighbors.ts';
import type { TermPage } from './axes/term-page.ts';

/** A listing or a draft, with everything that its audit depends on. */
export type AuditInput = {
  storefront: Storefront;
  /** The app's store identifier; null for a draft without an app. */
  app_id: string | null;
  texts: ListingTexts;
  /** The app's title in the store; null: a draft without an app, or unknown. */
  live_title: string | null;
  /** The app's description in the store; null: a draft without an app, or unknown. */
  live_description: string | null;
  /** Null, like genre: unknown; empty: a draft without an app. */
  developer_name: string | null;
  /** As the store names it. */
  genre: string | null;
  /** The store's key of the genre; null: unknown. */
  genre_key: string | null;
  /**
   * Further terms that the listing might add, by normal form (`chooseCandidates`); null: not chosen yet. A score of null: not
   * known yet.
   */
  candidates: ReadonlyMap<string, TermScore | null> | null;
  /** The advice of an earlier audit of the day, which this one repeats. Absent: it is made. */
  advice?: TermsToAdd | undefined;
  /** Where those of them come from that may be advised; the others are only words and phrases of these. */
  sources: ReadonlyMap<string, WordSource>;
  /**
   * Terms that an account tracks for the app, with their words and phrases, by normal form. They are advised like candidates
   * and change nothing else, so that scores are the same for every account.
   */
  tracked: ReadonlyMap<string, TermScore | null>;
  /** Those of the app's own audit, for a draft; null: found among `terms`. */
  neighbors: Neighbors | null;
  /**
   * By form: the app's best rank on the pages of its audit's terms and on kept ones (`findFormRanks`). A draft has none of its
   * own.
   */
  form_ranks: ReadonlyMap<string, number>;
  context: AuditContext;
  /** By normal form: those of the texts. A term that is missing here is pending. */
  terms: ReadonlyMap<string, TermScore>;
  now: Date;
};

/**
 * Where a word to add was found. `titles`: those around the app's relevant terms. `description`: the live one, as a phrase that
 * the store suggests. `pages`: on a kept page on which the app ranks 30 or better. `tracked`: among the terms that the account
 * tracks.
 */
export type WordSource = 'titles' | 'description' | 'pages' | 'tracked';

/** A searched term that the listing does not carry yet. */
export type TermToAdd = {
  /** normal form */
  name: string;
  /** 0 to 100 */
  traffic: number;
  difficulty: number;
  /** 0 to 1; null: unknown */
  relevance: number | null;
  /** When traffic and difficulty were computed. */
  scored_at: Date | null;
  source: WordSource;
  /** The app's best rank for the term and its forms, from 1; null: none, or not known. */
  rank: number | null;
  /** As `genreShareOn` its page. Absent: the advice was stored by a version that did not know it. */
  genre_share?: number | null;
  /**
   * How many points the overall score of a simulation rises if only this term is added to `field`; 0: less than rounding shows.
   * Absent: as `genre_share`.
   */
  global_delta?: number;
  /** The field to which it adds most among those that are advised. */
  field: ListingFieldKey;
};

/** By field: the terms to add to it. `any`: to whichever field they add most. */
export type TermsToAdd = Readonly<Partial<Record<ListingFieldKey | 'any', readonly TermToAdd[]>>>;

/** The texts of a listing. Null: unknown (state `missing`); empty string: the field is empty. */
export type ListingTexts = {
  title: string | null;
  /** Subtitle (App Store) or short description (Google Play). */
  subtitle: string | null;
  description: string | null;
  /** The App Store's keywords field, which the store never shows; always null on Google Play. */
  kw_field: string | null;
};

/** Null: unknown. */
export type AuditContext = {
  /** 0 to 5; null when the app has no ratings, or it is unknown (`is_rating_unread`) */
  rating: number | null;
  rating_count: number | null;
  /** Google Play only */
  installs: number | null;
  screenshots: number | null;
  days_since_update: number | null;
  age_months: number | null;
  has_video: boolean | null;
  /** 1 or more; Google Play does not say */
  language_count: number | null;
  /** The store shows ratings that could not be read. Absent: it does not, or the draft sets them. */
  is_rating_unread?: boolean | undefined;
};

/** The part of a keyword's score that an audit needs. */
export type TermScore = Pick<
  KeywordScore,
  'traffic' | 'is_partial' | 'difficulty' | 'search_status' | 'brand' | 'suspected_brand' | 'results'
> & {
  /** Null: not read. */
  page: TermPage | null;
  /** When it was scored; absent: not scored. */
  scored_at?: Date;
  /** The store shows no results, which is not believed yet. While the term is pending, nothing waits for it. */
  is_unproven?: true;
};

/** Of a term that was not measured. */
export const unmeasured: TermScore = {
  traffic: null,
  is_partial: false,
  difficulty: null,
  search_status: 'pending',
  brand: null,
  suspected_brand: null,
  results: null,
  page: null,
};
