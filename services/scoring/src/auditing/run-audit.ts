import { createHash, randomUUID } from 'node:crypto';
import { type Storefront, storefrontOf } from '@shelfwise/facts/stores/storefront';
import type { AuditInput, TermScore } from '../domain/audit/audit-input.ts';
import { auditListing } from '../domain/audit/audit-listing.ts';
import { chooseCandidates } from '../domain/audit/choose-candidates.ts';
import { listingTerms } from '../domain/audit/listing-terms.ts';
import { findNeighbors, type Neighbors } from '../domain/audit/neighbors.ts';
import { willBeComplete } from '../domain/audit/partial-terms.ts';
import { relevantTerms } from '../domain/audit/relevant-terms.ts';
import { ranksByForm } from '../domain/audit/term-fit.ts';
import { textsOf } from '../domain/listing-context.ts';
import { auditRequestMs, type Importance, importances } from '../domain/term-schedule.ts';
import { createFormOf } from '../domain/text/form-of.ts';
import { maxBasketTerms } from '../domain/visibility/basket.ts';
import type { StoredAudit } from '../stores/audit-store.ts';
import type { OwnedBasket } from '../stores/basket-store.ts';
import type { Listing } from '../stores/listing.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { ListingTermStore } from '../stores/listing-term-store.ts';
import type { PagelessScore } from '../stores/term-projections.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import { dailyAuditOf } from './daily-audit.ts';
import { findDescribedTerms } from './find-described-terms.ts';
import { findFormRanks, rankedTerms } from './find-form-ranks.ts';
import { type RenewKeywordsFieldsDeps, renewKeywordsFields } from './request-keywords-fields.ts';
import { type SaveAuditDeps, saveAudit } from './save-audit.ts';
import { termsToMeasure } from './terms-to-measure.ts';
import { toAuditInput } from './to-audit-input.ts';
import { type UpdateBasketDeps, updateBasket } from './update-basket.ts';

/** Far longer than an audit takes. If a copy dies, its audit is due again after this time. */
const maxAuditMs = 60_000;
/** Candidates are taken from the result pages of at most this many relevant terms. */
const termsForCandidates = 20;

export type RunAuditDeps = SaveAuditDeps &
  UpdateBasketDeps &
  RenewKeywordsFieldsDeps & {
    listings: Pick<ListingStore, 'startAudit' | 'finishAudit'>;
    listingTermStore: Pick<ListingTermStore, 'save'>;
    trackedTerms: Pick<TrackedTermStore, 'listKeywords' | 'findTracked'>;
    terms: Pick<
      TermStore,
      | 'findScores'
      | 'findUntrackedScores'
      | 'findAuditTerms'
      | 'findFormPages'
      | 'findPages'
      | 'requestMeasuring'
    >;
    now: () => Date;
    /** Called when listings became due earlier than planned. */
    wakeWorker: () => void;
  };

/** The terms that an audit depends on. */
type AuditTerms = {
  /** from the listing's texts */
  textTerms: { keyword: string; importance: Importance }[];
  /** that the listing might add (`chooseCandidates`); null: not chosen yet */
  candidates: string[] | null;
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
  /** as `AuditInput.form_ranks` */
  formRanks: Map<string, number>;
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
  const { textTerms, tracked, basket, described, all, hash, candidates } = found;
  const texts = textsOf(listing.content);
  const input = toAuditInput(listing, { ...found, texts, keywords: keywordsOf(textTerms) }, at);
  const formOf = createFormOf(listing.lang);
  const neighbors = findNeighbors(listing.app_id, input.terms, formOf);
  const formRanks = ranksByForm(input, listing.app_id, formOf);
  const audit = auditListing({ ...input, neighbors });
  const audited = { ...audit, neighbors, form_ranks: formRanks, candidates, listing, computed_at: at };
  const saved = await saveAudit(deps, audited, requestId);

  const { day, isDailyAudit, lastDailyAuditDay, next: nextAuditAt } = dailyAuditOf(listing, at);
  const aimed = keywordsOf(textTerms.filter(({ importance }) => importance !== importances.described));
  const scores = new Map<string, PagelessScore>([...found.otherScores, ...found.scores]);
  const basketInput = { listing, basket, tracked, aimed, described, scores, day, isDailyAudit };
  const basketTerms = await updateBasket(deps, basketInput);
  if (isDailyAudit || hash !== listing.terms_hash) {
    const further = [
      ...(candidates ?? []),
      ...described.filter((keyword) => !isMeasured(listing, scores.get(keyword))),
    ];
    await requestTerms(deps, listing, { textTerms, further, basket: keywordsOf(basketTerms) }, at);
    await renewKeywordsFields(deps, listing, at);
  }
  const { is_shown: isShown, is_aim_read: isAimRead } = audit.readiness;
  // On the first day they wait for every word, so that the order in which words are read does not matter.
  const isReady = isShown && (isAimRead || day > listing.followed_since_day);
  const isChoosing = isReady && (isDailyAudit || candidates === null);
  const chosen = isChoosing ? await findCandidates(deps, input, found, neighbors) : candidates;
  // The next audit requests them; if there are none, its report says so.
  const hasNewCandidates = chosen !== null && !chosen.every((keyword) => candidates?.includes(keyword));
  const isChoosingDescribed = isReady && (isDailyAudit || listing.described_terms == null);
  const nextDescribed = isChoosingDescribed
    ? await findDescribedTerms(deps, listing, { tracked, aimed, scores })
    : (listing.described_terms ?? null);
  const hasNew = hasNewCandidates || nextDescribed?.some((keyword) => !described.includes(keyword)) === true;
  const isAuditedAgain = hasNew || (chosen !== null && candidates === null);
  const outcome = {
    has_pending_terms: hasNew || all.some((keyword) => !isMeasured(listing, scores.get(keyword))),
    last_daily_audit_day: lastDailyAuditDay,
    candidate_terms: chosen,
    described_terms: nextDescribed,
    terms_hash: hasNew ? null : hash,
    due_at: isAuditedAgain ? deps.now() : nextAuditAt,
  };
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
  const candidates = listing.candidate_terms ?? null;
  const own = [...keywordsOf(textTerms), ...(candidates ?? [])];
  const described = listing.described_terms ?? [];
  const all = [...new Set([...own, ...tracked, ...keywordsOf(basket?.terms ?? []), ...described])];
  const hash = createHash('sha256').update(JSON.stringify(all)).digest('base64url');
  if (hash !== listing.terms_hash) await listingTermStore.save(listing, all);
  const others = all.slice(new Set(own).size);
  const app = { storefront, appId: listing.app_id };
  const [scores, otherScores, formRanks] = await Promise.all([
    terms.findAuditTerms(storefront, own),
    terms.findScores(storefront, others),
    findFormRanks({ terms }, app, rankedTerms(textTerms, candidates)),
  ]);
  return { textTerms, candidates, tracked, basket, described, all, hash, scores, otherScores, formRanks };
}

/**
 * The words that the listing might add, from the titles of the first ten apps for its relevant terms with the most `traffic * gain`.
 * One query, of some 5 KB for each of these terms.
 */
async function findCandidates(
  { terms }: Pick<RunAuditDeps, 'terms'>,
  input: AuditInput,
  { textTerms }: Pick<AuditTerms, 'textTerms'>,
  neighbors: Neighbors,
): Promise<string[]> {
  const relevant = relevantTerms({ ...input, neighbors }).slice(0, termsForCandidates);
  const pages = await terms.findPages(input.storefront, relevant);
  const apps = [...pages.values()].flatMap(({ reading }) => reading.page.apps.slice(0, 10));
  return chooseCandidates(apps, { ...input, ownTerms: new Set(keywordsOf(textTerms)) });
}

/**
 * Has the daily run measure the terms of a listing's texts and basket, and further ones, until the next audits renew the
 * request.
 */
async function requestTerms(
  { trackedTerms, terms }: RunAuditDeps,
  listing: Listing,
  { textTerms, further, basket }: Pick<AuditTerms, 'textTerms'> & { further: string[]; basket: string[] },
  at: Date,
): Promise<void> {
  const storefront = storefrontOf(listing);
  const trackedByAnyone = await trackedTerms.findTracked(storefront, basket);
  const until = new Date(at.getTime() + auditRequestMs);
  const phrases = further.map((keyword) => ({ keyword, importance: importances.phrase }));
  const requests = termsToMeasure([...phrases, ...textTerms], basket, trackedByAnyone);
  await terms.requestMeasuring(storefront, requests, until, at);
}

function isMeasured(storefront: Storefront, score: PagelessScore | undefined): boolean {
  if (score === undefined || score.traffic === null || score.difficulty === null) return false;
  return !willBeComplete(storefront, score);
}

function keywordsOf(terms: readonly { keyword: string }[]): string[] {
  return terms.map((term) => term.keyword);
}
