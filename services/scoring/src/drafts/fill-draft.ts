import type { AuditContext, ListingTexts } from '../domain/audit/audit-input.ts';
import { notesOnIgnoredFields } from '../domain/check/check-metadata.ts';
import { contextOf, textsOf } from '../domain/listing-context.ts';
import type { SentContext } from './check-context.ts';
import type { Simulation } from './check-simulation.ts';

/** A draft with every field filled, and notes about the request. */
export type FilledDraft = {
  texts: ListingTexts;
  context: AuditContext;
  /** empty without an app; null: unknown */
  developer_name: string | null;
  /** empty without an app; null: unknown */
  genre: string | null;
  /**
   * False when the draft leaves the keywords field to the app and the account keeps none, because the App Store never shows
   * it. Always true on Google Play, which has no such field.
   */
  isKeywordsFieldKnown: boolean;
  /** False when the app's live listing is scored unchanged. */
  isEdited: boolean;
  /** Problems with the request that did not fail it. */
  notes: string[];
};

/** A draft without an app has only the texts that were sent. */
const blankTexts: ListingTexts = { title: '', subtitle: '', description: '', kw_field: '' };

/** The context of a listing that is not published yet. */
const unpublished: AuditContext = {
  rating: null,
  rating_count: 0,
  installs: null,
  screenshots: 0,
  days_since_update: null,
  age_months: null,
  has_video: false,
  language_count: 1,
};

/**
 * Fills what was not sent from the app's live listing and context, or with blanks when there is no app.
 * @param keptField the keywords field that the account keeps for the app; null: none
 */
export function fillDraft(
  simulation: Omit<Simulation, 'account_id'>,
  keptField: string | null,
  now: Date,
): FilledDraft {
  const { app, storefront, texts: sent } = simulation;
  const { store } = storefront;
  const live = app?.content;
  const base = live ? { ...textsOf(live), kw_field: keptField } : blankTexts;
  const filled = { ...base, ...sent };
  const texts = store === 'GPLAY' ? { ...filled, kw_field: null } : filled;
  const baseContext = live ? contextOf(store, live, now, app.unlisted_since) : unpublished;
  const { is_rating_unread: isRatingUnread = false, ...known } = baseContext;
  const isRatingSent = simulation.context.rating !== undefined;
  const context: AuditContext = {
    ...known,
    ...simulation.context,
    is_rating_unread: isRatingUnread && !isRatingSent ? true : undefined,
  };
  return {
    texts,
    context,
    developer_name: live ? (live.developer_name ?? null) : '',
    genre: live ? (live.genre ?? null) : '',
    isKeywordsFieldKnown: store === 'GPLAY' || texts.kw_field !== null,
    isEdited: !app || !areSame(texts, base) || Object.keys(simulation.context).length > 0,
    notes: [
      ...notesOnIgnoredFields(store, sent.kw_field),
      ...(app ? notesOnKeywordsField(base, texts) : []),
      ...notesOnRating(simulation.context, context),
    ],
  };
}

function areSame(a: ListingTexts, b: ListingTexts): boolean {
  return (Object.keys(a) as (keyof ListingTexts)[]).every((key) => a[key] === b[key]);
}

/** The store never shows a live app's keywords field: unless the account keeps it, only the draft has one. */
function notesOnKeywordsField(live: ListingTexts, drafted: ListingTexts): string[] {
  if (live.kw_field !== null || drafted.kw_field === null) return [];
  return [
    'The app’s keywords field is not known, so the change (delta) is that from the app’s listing with an empty field, whose scores are in delta_basis; baseline_global is the app’s score without the field. To compare with it, keep it on the page Listing of the dashboard or with PUT /api/v1/applications/{id}/keywords-field.',
  ];
}

/**
 * A rating whose count is 0 is not scored, nor is a count without a rating. There are no notes when neither was sent.
 */
function notesOnRating(sent: SentContext, { rating, rating_count: ratingCount }: AuditContext): string[] {
  if (sent.rating === undefined && sent.rating_count === undefined) return [];
  const isRated = rating !== null && rating > 0;
  if (isRated && ratingCount === 0) return ['rating_count is 0, so the rating is not counted: send both.'];
  if (!isRated && ratingCount !== null && ratingCount > 0)
    return [`rating is ${rating}, so the rating_count is not counted: send both.`];
  return [];
}
