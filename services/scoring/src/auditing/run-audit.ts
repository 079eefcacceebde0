import { createHash, randomUUID } from 'node:crypto';
import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Store } from '@shelfwise/facts/stores/store';
import { storefrontOf } from '@shelfwise/facts/stores/storefront';
import type { TermScore } from '../domain/audit/audit-input.ts';
import { auditListing } from '../domain/audit/audit-listing.ts';
import type { CandidateSource } from '../domain/audit/choose-candidates.ts';
import { findFormRanks } from '../domain/audit/form-ranks.ts';
import { listingTerms } from '../domain/audit/listing-terms.ts';
import { findNeighbors } from '../domain/audit/neighbors.ts';
import { textsOf } from '../domain/listing-context.ts';
import { auditRequestMs, type Importance, importances } from '../domain/term-schedule.ts';
import { createFormOf } from '../domain/text/form-of.ts';
import { maxBasketTerms } from '../domain/visibility/basket.ts';
import type { StoredAudit } from '../stores/audit-store.ts';
import type { OwnedBasket } from '../stores/basket-store.ts';
import type { DescriptionLookStore } from '../stores/description-look-store.ts';
import type { Listing } from '../stores/listing.ts';
import type { AuditOutcome, ListingStore } from '../stores/listing-store.ts';
import type { ListingTermStore } from '../stores/listing-term-store.ts';
import type { PagelessScore } from '../stores/term-projections.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import { dailyAuditOf } from './daily-audit.ts';
import { type FindCandidatesDeps, findCandidates } from './find-candidates.ts';
import { findDescribedTerms } from './find-described-terms.ts';
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
  FindCandidatesDeps & {
    listings: Pick<ListingStore, 'startAudit' | 'finishAudit'>;
    listingTermStore: Pick<ListingTermStore, 'save'>;
    trackedTerms: Pick<TrackedTermStore, 'listKeywords' | 'findTracked'>;
    terms: Pick<
      TermStore,
      'findScores' | 'findUntrackedScores' | 'findAuditTerms' | 'findFormPages' | 'requestMeasuring'
    >;
    descriptionLooks: Pick<DescriptionLookStore, 'request'>;
    now: () => Date;
    /** Called when listings became due earlier than planned. */
    wakeWorker: () => void;
    /** Called when words of a description may be due. */
    wakeDescriptions: (store: Store) => void;
  };

/** The terms that an audit depends on. */
type AuditTerms = {
  /** from the listing's texts */
  textTerms: { keyword: string; importance: Importance }[];
  /** that the listing might add, with their words (`chooseCandidates`); null: not chosen yet */
  candidates: string[] | null;
  /** which of these may be advised */
  sources: CandidateSource[] | null;
  /** tracked for the listing, the one tracked longest first */
  tracked: string[];
  /** the newest version; null: none yet */
  basket: OwnedBasket | null;
  /** of the listing's description, to fill its basket (`chooseDescribedTerms`) */
  described: string[];
  /** the keywords of all five, each once */
  all: string[];
  /** SHA-256 of `all` */
  hash: string;
  /** by keyword: of the texts, and of the words that the listing might add */
  scores: Map<string, TermScore>;
  /** by keyword: of tracked terms, those of the basket and of the description, without pages */
  otherScores: Map<string, PagelessScore>;
  /** by form: the app's best rank on kept pages of other forms */
  keptRanks: Map<string, number>;
};

/**
 * Audits a listing from what is known about it and its terms, without a store call, and returns its newest audit.
 * `claim`: the caller's claim on it in the queue; null: the caller has none, and the audit ends the claim of another one.
 * Returns null when the claim is lost, or when the listing is not known here or was never followed.
 * After a crash between two writes the listing is due again, and the next audit completes them.
 */
export async function runAudit(
  deps: RunAuditDeps,
  listingId: number,
  { requestId, claim }: { requestId: string; claim: string | null },
): Promise<StoredAudit | null> {
  const auditId = randomUUID();
  const start = { auditId, now: deps.now(), maxAuditMs, claim };
  const listing = await deps.listings.startAudit(listingId, start);
  if (!listing) return null;
  const { last_audit_started_at: at } = listing;
  const found = await findTerms(deps, listing);
  const { textTerms, tracked, basket, described, all, hash, candidates, sources } = found;
  const texts = textsOf(listing.content);
  const read = toAuditInput(listing, { ...found, texts, keywords: keywordsOf(textTerms) }, at);
  const formOf = createFormOf(listing.lang);
  const neighbors = findNeighbors(listing.app_id, read.terms, formOf);
  const formRanks = findFormRanks(read, found.keptRanks, listing.app_id, formOf);
  const input = { ...read, neighbors, form_ranks: formRanks };
  const { day, isDailyAudit, lastDailyAuditDay, next: nextAuditAt } = dailyAuditOf(listing, at);
  const basis = basisOf(listing, sources);
  const made = listing.words_to_add ?? null;
  const isMade = made?.is_complete === true && made.day === day && made.basis === basis;
  const audit = auditListing({ ...input, advice: isMade ? made.terms : undefined });
  const audited = {
    ...audit,
    neighbors,
    form_ranks: formRanks,
    candidates,
    candidate_sources: sources,
    listing,
    computed_at: at,
  };
  const saved = await saveAudit(deps, audited, requestId);

  const aimed = keywordsOf(textTerms.filter(({ importance }) => importance !== importances.described));
  const scores = new Map<string, PagelessScore>([...found.otherScores, ...found.scores]);
  const basketInput = { listing, basket, tracked, aimed, described, scores, day, isDailyAudit };
  const basketTerms = await updateBasket(deps, basketInput);
  if (isDailyAudit || hash !== listing.terms_hash) {
    const unmeasured = described.filter((keyword) => !isMeasured(scores.get(keyword)));
    const requested = { textTerms, described: unmeasured, basket: keywordsOf(basketTerms) };
    await requestTerms(deps, listing, requested, at);
    await renewKeywordsFields(deps, listing, at);
  }
  const { is_shown: isShown, is_aim_read: isAimRead } = audit.readiness;
  // On the first day they wait for every word, so that the order in which words are read does not matter.
  const isReady = isShown && (isAimRead || day > listing.followed_since_day);
  const isChoosing = isReady && (isDailyAudit || candidates === null || listing.is_choice_due === true);
  const chosenNow = isChoosing
    ? await findCandidates(deps, listing, input, {
        aimed: new Set(aimed),
        tracked,
        measured: new Set([...keywordsOf(textTerms), ...tracked, ...keywordsOf(basketTerms)]),
      })
    : null;
  if (isChoosing && !hasNoAutocomplete(input.storefront)) {
    await deps.descriptionLooks.request(listingId, listing.store, deps.now());
    deps.wakeDescriptions(listing.store);
  }
  const chosen = chosenNow ? chosenNow.candidates.terms : candidates;
  // The next audit requests them; if there are none, its report says so.
  const hasNewCandidates = chosen !== null && !chosen.every((keyword) => candidates?.includes(keyword));
  const isChoosingDescribed = isReady && (isDailyAudit || listing.described_terms === null);
  const nextDescribed = isChoosingDescribed
    ? await findDescribedTerms(deps, listing, { tracked, aimed, scores })
    : listing.described_terms;
  const hasNew = hasNewCandidates || nextDescribed?.some((keyword) => !described.includes(keyword)) === true;
  const isAuditedAgain = hasNew || (chosen !== null && candidates === null);
  const outcome: AuditOutcome = {
    has_pending_terms: hasNew || all.some((keyword) => !isMeasured(scores.get(keyword))),
    last_daily_audit_day: lastDailyAuditDay,
    candidate_terms: chosen,
    described_terms: nextDescribed,
    terms_hash: hasNew ? null : hash,
    due_at: isAuditedAgain ? deps.now() : nextAuditAt,
  };
  if (chosenNow) {
    outcome.candidate_sources = chosenNow.candidates.sources;
    outcome.candidate_requests = chosenNow.requests;
    outcome.is_choice_due = false;
  }
  if (audit.advice) outcome.words_to_add = { ...audit.advice, day, basis };
  await deps.listings.finishAudit(listingId, auditId, outcome, deps.now());
  if (isAuditedAgain) deps.wakeWorker();
  return saved;
}

/** The terms are saved before their scores are read, so that a term measured in between makes the listing due. */
async function findTerms(
  { listingTermStore, trackedTerms, baskets, terms }: RunAuditDeps,
  listing: Listing,
): Promise<AuditTerms> {
  const storefront = storefrontOf(listing);
  const textTerms = listingTerms({ storefront, texts: textsOf(listing.content) });
  const [tracked, basket] = await Promise.all([
    trackedTerms.listKeywords(listing._id, maxBasketTerms),
    baskets.findNewest(listing._id),
  ]);
  const { candidate_terms: candidates, candidate_sources: sources } = listing;
  const own = [...keywordsOf(textTerms), ...(candidates ?? [])];
  const described = listing.described_terms ?? [];
  const all = [...new Set([...own, ...tracked, ...keywordsOf(basket?.terms ?? []), ...described])];
  const hash = createHash('sha256').update(JSON.stringify(all)).digest('base64url');
  if (hash !== listing.terms_hash) await listingTermStore.save(listing, all);
  const others = all.slice(new Set(own).size);
  const app = { storefront, appId: listing.app_id };
  const [scores, otherScores, keptRanks] = await Promise.all([
    terms.findAuditTerms(storefront, own),
    terms.findScores(storefront, others),
    findKeptFormRanks({ terms }, app, rankedTerms(textTerms, candidates)),
  ]);
  return {
    textTerms,
    candidates,
    sources,
    tracked,
    basket,
    described,
    all,
    hash,
    scores,
    otherScores,
    keptRanks,
  };
}

/**
 * Has the daily run measure the terms of a listing's texts and basket, and further ones of its description, until the next
 * audits renew the request.
 */
async function requestTerms(
  { trackedTerms, terms }: RunAuditDeps,
  listing: Listing,
  { textTerms, described, basket }: Pick<AuditTerms, 'textTerms' | 'described'> & { basket: string[] },
  at: Date,
): Promise<void> {
  const storefront = storefrontOf(listing);
  const trackedByAnyone = await trackedTerms.findTracked(storefront, basket);
  const until = new Date(at.getTime() + auditRequestMs);
  const phrases = described.map((keyword) => ({ keyword, importance: importances.phrase }));
  const requests = termsToMeasure([...phrases, ...textTerms], basket, trackedByAnyone);
  await terms.requestMeasuring(storefront, requests, until, at);
}

/** Identifies what advice was made from, apart from scores. */
function basisOf({ revision }: Listing, sources: readonly CandidateSource[] | null): string {
  return createHash('sha256')
    .update(JSON.stringify([revision, sources]))
    .digest('base64url');
}

function isMeasured(score: PagelessScore | undefined): boolean {
  if (score === undefined || score.traffic === null || score.difficulty === null) return false;
  return !score.is_partial;
}

function keywordsOf(terms: readonly { keyword: string }[]): string[] {
  return terms.map((term) => term.keyword);
}
