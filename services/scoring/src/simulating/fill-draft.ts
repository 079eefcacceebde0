import type { AuditContext, ListingTexts } from '../domain/audit/audit-input.ts';
import { notesOnIgnoredFields } from '../domain/check/check-metadata.ts';
import { contextOf, textsOf } from '../domain/listing-context.ts';
import { toListingContent } from '../domain/listing-reading.ts';
import type { SentContext } from './check-context.ts';
import type { Simulation } from './check-simulation.ts';

/** A draft with nothing left open, and what there is to say about it. */
export type FilledDraft = {
  texts: ListingTexts;
  context: AuditContext;
  developer_name: string;
  genre: string;
  /** False when the keywords field is not known, because the store never shows that of a live listing. */
  isKeywordsFieldKnown: boolean;
  /** False when the app's live listing is scored as it stands. */
  isEdited: boolean;
  /** Problems with the request that did not stop it. */
  notes: string[];
};

/** A draft from nothing: it ships no text that was not sent. */
const blankTexts: ListingTexts = { title: '', subtitle: '', description: '', kw_field: '' };

/** A listing that is not published yet. */
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

/** What was sent, over the app's live listing and context when there is an app, else over blanks. */
export function fillDraft(simulation: Omit<Simulation, 'account_id'>, now: Date): FilledDraft {
  const { app, storefront, texts: sent } = simulation;
  const { store } = storefront;
  const live = app && toListingContent(app.listing);
  const base = live ? textsOf(live) : blankTexts;
  const filled = { ...base, ...sent };
  const texts = store === 'GPLAY' ? { ...filled, kw_field: null } : filled;
  const own = live ? contextOf(store, live, now) : unpublished;
  const context = { ...own, ...simulation.context };
  return {
    texts,
    context,
    developer_name: app?.listing.developer_name ?? '',
    genre: app?.listing.genre ?? '',
    isKeywordsFieldKnown: store === 'GPLAY' || texts.kw_field !== null,
    isEdited: !app || !isSame(texts, base) || Object.keys(simulation.context).length > 0,
    notes: [
      ...notesOnIgnoredFields(store, sent.kw_field),
      ...(app ? notesOnKeywordsField(base, texts) : []),
      ...notesOnRating(simulation.context, context),
    ],
  };
}

function isSame(texts: ListingTexts, others: ListingTexts): boolean {
  return (Object.keys(texts) as (keyof ListingTexts)[]).every((key) => texts[key] === others[key]);
}

/** The store never shows a live app's keywords field, so that only a draft can have it counted. */
function notesOnKeywordsField(stored: ListingTexts, drafted: ListingTexts): string[] {
  if (stored.kw_field !== null || drafted.kw_field === null) return [];
  return [
    'The stored score leaves the keywords field out, this one counts it: coverage and global do not compare the same fields.',
  ];
}

/** An average without its count says nothing, nor does a count without an average. Only what was sent is spoken of. */
function notesOnRating(sent: SentContext, { rating, rating_count: ratingCount }: AuditContext): string[] {
  if (sent.rating === undefined && sent.rating_count === undefined) return [];
  const isRated = rating !== null && rating > 0;
  if (isRated && ratingCount === 0) return ['rating_count is 0, so the rating is not counted: send both.'];
  if (!isRated && ratingCount !== null && ratingCount > 0)
    return [`rating is ${rating}, so the rating_count is not counted: send both.`];
  return [];
}
