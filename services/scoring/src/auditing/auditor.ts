import type { Storefront } from '@shelfwise/facts/storefront';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { SourceGuard } from '@shelfwise/runtime/source-guard';
import type { TermScore } from '../domain/audit/audit-input.ts';
import { auditListing } from '../domain/audit/audit-listing.ts';
import { listingTerms } from '../domain/audit/listing-terms.ts';
import { contextOf, textsOf } from '../domain/listing-context.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import { maxBasketTerms } from '../domain/visibility/basket.ts';
import type { AuditStore, StoredAudit } from '../stores/audit-store.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import type { KnownListing, Listing, ListingStore } from '../stores/listing-store.ts';
import { importances, type Ranking, type StoredTerm } from '../stores/stored-term.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import type { AuditKeeper } from './audit-keeper.ts';
import { dailyPassOf } from './daily-pass.ts';
import { type ListingReading, readTrackedListing } from './listing-reading.ts';
import type { VisibilityKeeper } from './visibility-keeper.ts';
import { wantedTerms } from './wanted-terms.ts';

/** Far longer than an audit takes; one of a copy that died is due again after it. */
const leaseMs = 60_000;
/** What an audit needs is measured until so long after it; each daily pass asks anew. */
const wantedMs = 3 * dayMs;
/** An audit that lacks nothing waits so long for more measurings: popular words are in thousands of listings. */
const gatherMs = 60_000;

export type Auditor = ReturnType<typeof createAuditor>;

/**
 * Audits listings from what is known of them and of their terms; it never asks a store. A listing is due again at its
 * own moment of each UTC day, and when something that it depends on has changed.
 */
export function createAuditor(deps: {
  listings: ListingStore;
  trackedTerms: Pick<TrackedTermStore, 'listKeywords' | 'findTracked'>;
  audits: Pick<AuditStore, 'find'>;
  auditKeeper: AuditKeeper;
  baskets: Pick<BasketStore, 'findNewest'>;
  visibilityKeeper: VisibilityKeeper;
  terms: Pick<TermStore, 'findScores' | 'want'>;
  sourceGuard: SourceGuard;
  now: () => Date;
  /** Told when listings have come due before their time. */
  wakeLane: () => void;
}) {
  const { listings, trackedTerms, audits, auditKeeper, baskets, visibilityKeeper, terms, now } = deps;

  /** All that an audit looks at. What is measured after this makes the listing due. */
  async function gatherTerms(listing: Listing) {
    const own = listingTerms({ storefront: storefrontOf(listing), texts: textsOf(listing.content) });
    const [tracked, basket] = await Promise.all([
      trackedTerms.listKeywords(listing._id, maxBasketTerms),
      baskets.findNewest(listing._id),
    ]);
    const inBasket = basket?.terms.map(({ keyword }) => keyword) ?? [];
    const all = [...new Set([...own.map(({ keyword }) => keyword), ...tracked, ...inBasket])];
    if (!isSame(all, listing.terms)) await listings.keepTerms(listing._id, all);
    return { own, tracked, basket, all, scores: await terms.findScores(storefrontOf(listing), all) };
  }

  async function want(listing: Listing, own: Gathered['own'], basket: readonly string[], at: Date) {
    const storefront = storefrontOf(listing);
    const tracked = await trackedTerms.findTracked(storefront, basket);
    const until = new Date(at.getTime() + wantedMs);
    await terms.want(storefront, wantedTerms(own, basket, tracked), until, at);
  }

  /**
   * Audits a listing that is known and keeps what it finds; the newest audit of it. A crash between two of its writes
   * leaves the listing due, and the next audit does what is missing. @throws APP_NOT_FOUND
   */
  async function audit(listingId: number, requestId: string): Promise<StoredAudit> {
    const at = now();
    const until = new Date(at.getTime() + leaseMs);
    const listing = await listings.begin(listingId, until);
    if (!listing) throw new AppError('APP_NOT_FOUND', 'No listing of that id is known here.');
    const { own, tracked, basket, all, scores } = await gatherTerms(listing);
    const report = auditListing(toInput(listing, scores, at));
    const kept = await auditKeeper.keep({ listing, report, computed_at: at }, requestId);

    const pass = dailyPassOf(listing, at);
    const aimed = own.filter(({ importance }) => importance === importances.indexed);
    const basketTerms = await visibilityKeeper.renew({
      ...{ listing, basket, tracked, scores, own: aimed.map(({ keyword }) => keyword) },
      ...{ day: pass.day, isDailyPass: pass.isDailyPass },
    });
    await want(
      listing,
      own,
      basketTerms.map(({ keyword }) => keyword),
      at,
    );
    const is_pending = all.some((keyword) => !isMeasured(scores.get(keyword)));
    await listings.finish(listingId, until, { is_pending, passed_day: pass.passed_day, due_at: pass.next });
    return kept;
  }

  /** Keeps a reading that is newer than what is known; true when it was. It is due then. */
  async function accept(reading: ListingReading): Promise<boolean> {
    await deps.sourceGuard.admit(reading.source);
    const at = now();
    const isNew = await listings.accept(reading, { since_day: utcDay(at), at });
    if (isNew) deps.wakeLane();
    return isNew;
  }

  return {
    audit,
    accept,

    /**
     * The audit of a listing as tracking knows it, from what is stored; one that is not known here, is known less well,
     * or was audited by other formulas is audited on the spot. @throws INVALID_PARAMS, STORE_FETCH_FAILED when the
     * database holds readings of another kind of store
     */
    async ensure(app: TrackedListing, requestId: string): Promise<StoredAudit> {
      const reading = readTrackedListing(app);
      const [known, stored] = await Promise.all([listings.findKnown(reading.id), audits.find(reading.id)]);
      if (stored?.scoring_version === scoringVersion && known && isKept(known, reading)) return stored;
      await accept(reading);
      await listings.ask(reading.id, now());
      return audit(reading.id, requestId);
    },

    /** Somebody began or ceased to track a keyword for the listing. */
    async onKeywordsChanged(listingId: number): Promise<void> {
      await listings.hasten(listingId, now());
      deps.wakeLane();
    },

    /** A term was measured: its ranks are kept, and the listings that look at it are audited again. */
    async onMeasured(term: StoredTerm): Promise<void> {
      const storefront = storefrontOf(term);
      if (term.ranking) await visibilityKeeper.onRanks(storefront, term.keyword, term.ranking);
      const at = now();
      const otherAt = new Date(at.getTime() + gatherMs);
      const hastened = await listings.hastenAll(storefront, term.keyword, { pendingAt: at, otherAt });
      if (hastened > 0) deps.wakeLane();
    },

    /** A snapshot of a tracked keyword, of any day. */
    onRanks: (storefront: Storefront, keyword: string, ranking: Ranking): Promise<void> =>
      visibilityKeeper.onRanks(storefront, keyword, ranking),
  };

  type Gathered = Awaited<ReturnType<typeof gatherTerms>>;
}

function toInput(listing: Listing, terms: ReadonlyMap<string, TermScore>, now: Date) {
  const { store, app_id, content } = listing;
  return {
    ...{ storefront: storefrontOf(listing), app_id, texts: textsOf(content), terms, now },
    ...{ developer_name: content.developer_name, genre: content.genre },
    context: contextOf(store, content, now),
  };
}

/** Nothing more is known by now, and the listing is audited day by day. */
function isKept(known: KnownListing, { revision, read_at }: ListingReading): boolean {
  if (known.due_at == null) return false;
  return known.revision > revision || (known.revision === revision && known.read_at >= read_at);
}

function isMeasured(score: TermScore | undefined): boolean {
  return score !== undefined && score.traffic !== null && score.difficulty !== null;
}

function isSame(keywords: readonly string[], others: readonly string[]): boolean {
  return keywords.length === others.length && keywords.every((keyword, index) => keyword === others[index]);
}

function storefrontOf({ store, country, lang }: Storefront): Storefront {
  return { store, country, lang };
}
