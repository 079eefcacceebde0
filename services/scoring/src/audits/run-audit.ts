import { createHash } from 'node:crypto';
import { storefrontOf } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import type { Candidates } from '../domain/audit/advice/choose-candidates.ts';
import type { AuditInput, TermScore } from '../domain/audit/audit-input.ts';
import { auditListing, type ListingAudit } from '../domain/audit/audit-listing.ts';
import { findFormRanks } from '../domain/audit/axes/form-ranks.ts';
import { findNeighbors } from '../domain/audit/axes/neighbors.ts';
import { listingTerms } from '../domain/audit/words/listing-terms.ts';
import { textsOf } from '../domain/listing-context.ts';
import { auditRequestMs, type Importance, importances } from '../domain/term-schedule.ts';
import { createFormOf } from '../domain/text/form-of.ts';
import { maxBasketTerms } from '../domain/visibility/basket.ts';
import { type StoredAudit, shownReportOf } from '../stores/audit-store.ts';
import type { OwnedBasket } from '../stores/basket-store.ts';
import type { Listing, ListingInAudit } from '../stores/listing.ts';
import type { AuditOutcome, ListingStore } from '../stores/listing-store.ts';
import type { ListingTermStore } from '../stores/listing-term-store.ts';
import type { PagelessScore } from '../stores/term-projections.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import { type ChooseTermsDeps, chooseTerms } from './choose-terms.ts';
import { dailyAuditOf } from './daily-audit.ts';
import { findKeptFormRanks, rankedTerms } from './find-kept-form-ranks.ts';
import { type RenewKeywordsFieldsDeps, renewKeywordsFields } from './request-keywords-fields.ts';
import { type SaveAuditDeps, saveAudit } from './save-audit.ts';
import { termsToMeasure } from './terms-to-measure.ts';
import { toAuditInput } from './to-audit-input.ts';
import { type UpdateBasketDeps, updateBasket } from './update-basket.ts';

/** Far longer than an audit takes. If a copy dies, its audit is due again after this time. */
const maxAuditMs = 60_000;

export type RunAuditDeps = SaveAuditDeps &
  UpdateBasketDeps &
  RenewKeywordsFieldsDeps &
  ChooseTermsDeps & {
    listings: Pick<ListingStore, 'startAudit' | 'forgetTerms' | 'finishAudit'>;
    listingTermStore: Pick<ListingTermStore, 'save'>;
    trackedTerms: Pick<TrackedTermStore, 'listKeywords' | 'findTracked'>;
    terms: Pick<TermStore, 'findScores' | 'findAuditTerms' | 'findFormPages' | 'requestMeasuring'>;
    /** Called when listings became due earlier than planned. */
    wakeWorker: () => void;
  };

/**
 * The most words of a new listing that are read before all background work: those of most names and subtitles. On Google Play a
 * word takes up to 17 calls of the store.
 */
const maxAwaited = 12;

/** The terms that an audit depends on. */
type AuditTerms = {
  /** from the listing's texts */
  textTerms: { keyword: string; importance: Importance }[];
  /** tracked for the listing, the one tracked longest first */
  tracked: string[];
  /** the newest version; null: none yet */
  basket: OwnedBasket | null;
  /** of the listing's description, to fill its basket (`chooseDescribedTerms`) */
  described: string[];
  /** the keywords of all four and the candidates, each once, whose measurement makes the listing due */
  linked: string[];
  /** SHA-256 of all of them, and of `linked` if it has fewer */
  hash: string;
  /** by keyword: of the texts, and of the words that the listing might add */
  scores: Map<string, TermScore>;
  /** by keyword: of tracked terms, those of the basket and of the description, without pages */
  otherScores: Map<string, PagelessScore>;
  /** by form: the app's best rank on kept pages of other forms */
  keptRanks: Map<string, number>;
};

/** An audit that is stored. */
export type RunningAudit = {
  /** the newest audit of the listing */
  saved: StoredAudit;
  /** Resolves when what follows from it is stored, too. When it rejects, the listing is due again after its claim. */
  finished: Promise<void>;
};

/** What an audit has read and computed. */
type Computed = {
  listing: ListingInAudit;
  found: AuditTerms;
  input: AuditInput;
  audit: ListingAudit;
  /** what its advice is made from, apart from scores */
  basis: string;
  /** No audit of the listing could be shown yet. */
  isNeverShown: boolean;
};

/**
 * Audits a listing from what is known about it and its terms, without a store call, and stores the audit. Then stores what follows
 * from it, for which a user need not wait: the requests for its terms, its basket, and when it is due. After a crash between two
 * writes the listing is due again, and the next audit completes them.
 * @param claim of the worker that has claimed the listing; null: for a user, who takes it over
 * @returns null when the claim is lost, or when the listing is not known here or was never followed
 */
export async function runAudit(
  deps: RunAuditDeps,
  listingId: number,
  { requestId, claim }: { requestId: string; claim: string | null },
): Promise<RunningAudit | null> {
  const listing = await deps.listings.startAudit(listingId, { now: deps.now(), maxAuditMs, claim });
  if (!listing) return null;
  const { last_audit_started_at: at, candidates } = listing;
  const found = await findTerms(deps, listing);
  const texts = textsOf(listing.content);
  const shown = { ...listing, storefront: storefrontOf(listing) };
  const keywords = keywordsOf(found.textTerms);
  const read = toAuditInput(shown, { ...found, candidates, texts, keywords }, at);
  const formOf = createFormOf(listing.lang);
  const neighbors = findNeighbors(listing.app_id, read.terms, formOf);
  const formRanks = findFormRanks(read, found.keptRanks, listing.app_id, formOf);
  const input = { ...read, neighbors, form_ranks: formRanks };
  const basis = basisOf(listing, candidates);
  const made = listing.words_to_add ?? null;
  const isMade = made?.is_complete === true && made.day === utcDay(at) && made.basis === basis;
  const audit = auditListing({ ...input, advice: isMade ? made.terms : undefined });
  const audited = { ...audit, neighbors, form_ranks: formRanks, candidates, listing, computed_at: at };
  const saved = await saveAudit(deps, audited, requestId);
  const isNeverShown = shownReportOf(saved) === null;
  return { saved, finished: finishAudit(deps, { listing, found, input, audit, basis, isNeverShown }) };
}

/** Requests the terms of a stored audit, updates the basket, and plans the next audit. */
async function finishAudit(deps: RunAuditDeps, computed: Computed): Promise<void> {
  const { listing, found, input, audit, basis } = computed;
  const { textTerms, tracked, basket, described, linked, hash } = found;
  const { last_audit_started_at: at } = listing;
  const { day, isDailyAudit, lastDailyAuditDay, next: nextAuditAt } = dailyAuditOf(listing, at);
  const aimed = keywordsOf(textTerms.filter(({ importance }) => importance !== importances.described));
  const scores = new Map<string, PagelessScore>([...found.otherScores, ...found.scores]);
  const basketInput = { listing, basket, tracked, aimed, described, scores, day, isDailyAudit };
  const basketTerms = keywordsOf(await updateBasket(deps, basketInput));
  if (isDailyAudit || hash !== listing.terms_hash) {
    const awaited = awaitedOf(computed, isDailyAudit);
    // Those of the description are public as long as it has them, measured or not.
    await requestTerms(deps, listing, { textTerms, described, basket: basketTerms, awaited }, at);
    await renewKeywordsFields(deps, listing, at);
  }
  const shown = new Set(keywordsOf(textTerms));
  const chosen = await chooseTerms(deps, listing, {
    input,
    readiness: audit.readiness,
    day,
    isDailyAudit,
    aimed,
    shown,
    tracked,
    measured: new Set([...shown, ...tracked, ...basketTerms]),
    scores,
  });
  const { hasNew, isAuditedNext, ...choices } = chosen;
  const outcome: AuditOutcome = {
    ...choices,
    has_pending_terms: hasNew || linked.some((keyword) => !isMeasured(scores.get(keyword))),
    last_daily_audit_day: lastDailyAuditDay,
    terms_hash: hasNew ? null : hash,
    due_at: isAuditedNext ? deps.now() : nextAuditAt,
  };
  if (audit.advice) outcome.words_to_add = { ...audit.advice, day, basis };
  const isOvertaken = await deps.listings.finishAudit(listing, outcome, deps.now());
  if (isAuditedNext || isOvertaken) deps.wakeWorker();
}

/** The terms are saved before their scores are read, so that a term measured in between makes the listing due. */
async function findTerms(
  { listings, listingTermStore, trackedTerms, baskets, terms }: RunAuditDeps,
  listing: ListingInAudit,
): Promise<AuditTerms> {
  const storefront = storefrontOf(listing);
  const textTerms = listingTerms({ storefront, texts: textsOf(listing.content) });
  const [tracked, basket] = await Promise.all([
    trackedTerms.listKeywords(listing._id, maxBasketTerms),
    baskets.findNewest(listing._id),
  ]);
  const candidates = listing.candidates?.terms ?? [];
  const own = [...keywordsOf(textTerms), ...candidates];
  const described = listing.described_terms ?? [];
  const all = [...new Set([...own, ...tracked, ...keywordsOf(basket?.terms ?? []), ...described])];
  const others = all.slice(new Set(own).size);
  const ranked = rankedTerms(textTerms, candidates);
  const linked = basket?.is_fixed ? [...new Set(own), ...withoutIdle(others, ranked, listing.lang)] : all;
  const hashed = basket?.is_fixed ? [all, linked] : all;
  const hash = createHash('sha256').update(JSON.stringify(hashed)).digest('base64url');
  const isForgotten =
    listing.terms_hash === null || (hash !== listing.terms_hash && (await listings.forgetTerms(listing)));
  if (isForgotten) await listingTermStore.save(listing, linked);
  const app = { storefront, appId: listing.app_id };
  const [scores, otherScores, keptRanks] = await Promise.all([
    terms.findAuditTerms(storefront, own),
    terms.findScores(storefront, others),
    findKeptFormRanks({ terms }, app, ranked),
  ]);
  return { textTerms, tracked, basket, described, linked, hash, scores, otherScores, keptRanks };
}

/**
 * Without the terms on which only the basket depends: while it is fixed, only daily audits of a new month draw it, and they read all
 * scores. Other forms of the listing's own terms stay: their pages show ranks that count (`findKeptFormRanks`).
 */
function withoutIdle(others: readonly string[], ranked: readonly string[], lang: string): string[] {
  const formOf = createFormOf(lang);
  const forms = new Set(ranked.map(formOf));
  return others.filter((keyword) => forms.has(formOf(keyword)));
}

/** Has the daily run measure the terms of a listing's texts, basket and description until the next audits renew the request. */
async function requestTerms(
  { trackedTerms, terms }: RunAuditDeps,
  listing: Listing,
  {
    textTerms,
    described,
    basket,
    awaited,
  }: Pick<AuditTerms, 'textTerms' | 'described'> & { basket: string[]; awaited: ReadonlySet<string> },
  at: Date,
): Promise<void> {
  const storefront = storefrontOf(listing);
  const trackedByAnyone = await trackedTerms.findTracked(storefront, basket);
  const until = new Date(at.getTime() + auditRequestMs);
  const phrases = described.map((keyword) => ({ keyword, importance: importances.phrase }));
  const requests = termsToMeasure([...phrases, ...textTerms], basket, trackedByAnyone, awaited);
  await terms.requestMeasuring(storefront, requests, until, at);
}

/**
 * The words for which an account waits that has just tracked the app. Words of a later daily audit are not awaited, for example after
 * days on which the store was blocked.
 */
function awaitedOf(
  { audit: { readiness }, isNeverShown, listing }: Computed,
  isDailyAudit: boolean,
): ReadonlySet<string> {
  const isAwaited = isNeverShown && !(isDailyAudit && listing.last_daily_audit_day !== null);
  return new Set(isAwaited ? readiness.awaited?.unread.slice(0, maxAwaited) : []);
}

/** Identifies what advice was made from, apart from scores. */
function basisOf({ revision }: Listing, candidates: Candidates | null): string {
  return createHash('sha256')
    .update(JSON.stringify([revision, candidates?.sources ?? null]))
    .digest('base64url');
}

function isMeasured(score: PagelessScore | undefined): boolean {
  if (score === undefined || score.traffic === null || score.difficulty === null) return false;
  return !score.is_partial;
}

function keywordsOf(terms: readonly { keyword: string }[]): string[] {
  return terms.map((term) => term.keyword);
}
