import { createHash, randomUUID } from 'node:crypto';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { dayMs } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { AuditInput, TermScore } from '../domain/audit/audit-input.ts';
import { auditListing } from '../domain/audit/audit-listing.ts';
import { listingTerms } from '../domain/audit/listing-terms.ts';
import { type Importance, importances } from '../domain/importance.ts';
import { contextOf, textsOf } from '../domain/listing-context.ts';
import { maxBasketTerms } from '../domain/visibility/basket.ts';
import type { StoredAudit } from '../stores/audit-store.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import type { Listing, ListingStore } from '../stores/listing-store.ts';
import type { ListingTermStore } from '../stores/listing-term-store.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import type { AuditKeeper } from './audit-keeper.ts';
import { dailyPassOf } from './daily-pass.ts';
import type { VisibilityKeeper } from './visibility-keeper.ts';
import { wantedTerms } from './wanted-terms.ts';

/** Far longer than an audit takes; one of a copy that died is due again after it. */
const leaseMs = 60_000;
/** What an audit needs is measured until so long after it; each daily pass asks anew. */
const wantedMs = 3 * dayMs;

/** All that an audit looks at. */
type Gathered = {
  own: { keyword: string; importance: Importance }[];
  /** tracked for the listing, oldest first */
  tracked: string[];
  basket: Awaited<ReturnType<BasketStore['findNewest']>>;
  all: string[];
  /** one text per list of all of them */
  key: string;
  /** by keyword */
  scores: Map<string, TermScore>;
};

export type AuditRun = ReturnType<typeof createAuditRun>;

/** Audits one listing from what is known of it and of its terms, and keeps what follows from it. It asks no store. */
export function createAuditRun(deps: {
  listings: ListingStore;
  listingTermStore: Pick<ListingTermStore, 'keep'>;
  trackedTerms: Pick<TrackedTermStore, 'listKeywords' | 'findTracked'>;
  baskets: Pick<BasketStore, 'findNewest'>;
  auditKeeper: AuditKeeper;
  visibilityKeeper: VisibilityKeeper;
  terms: Pick<TermStore, 'findScores' | 'want'>;
  now: () => Date;
}) {
  const { listings, listingTermStore, trackedTerms, baskets, auditKeeper, visibilityKeeper, terms, now } =
    deps;

  /** The terms are kept before their scores are read: what is measured after that makes the listing due. */
  async function gather(listing: Listing): Promise<Gathered> {
    const storefront = storefrontOf(listing);
    const own = listingTerms({ storefront, texts: textsOf(listing.content) });
    const [tracked, basket] = await Promise.all([
      trackedTerms.listKeywords(listing._id, maxBasketTerms),
      baskets.findNewest(listing._id),
    ]);
    const all = [...new Set([...keywordsOf(own), ...tracked, ...keywordsOf(basket?.terms ?? [])])];
    const key = createHash('sha256').update(JSON.stringify(all)).digest('base64url');
    if (key !== listing.terms_key) await listingTermStore.keep(listing, all);
    return { own, tracked, basket, all, key, scores: await terms.findScores(storefront, all) };
  }

  async function want(listing: Listing, own: Gathered['own'], basket: string[], at: Date): Promise<void> {
    const storefront = storefrontOf(listing);
    const tracked = await trackedTerms.findTracked(storefront, basket);
    const until = new Date(at.getTime() + wantedMs);
    await terms.want(storefront, wantedTerms(own, basket, tracked), until, at);
  }

  /**
   * Audits a listing that is known here; the newest audit of it. After a crash between two of its writes the listing is
   * due again, and the next audit does what is missing. @throws APP_NOT_FOUND
   */
  return async function audit(listingId: number, requestId: string): Promise<StoredAudit> {
    const at = now();
    const auditId = randomUUID();
    const listing = await listings.begin(listingId, auditId, new Date(at.getTime() + leaseMs));
    if (!listing) throw new AppError('APP_NOT_FOUND', 'No listing of that id is known here.');
    const { own, tracked, basket, all, key, scores } = await gather(listing);
    const report = auditListing(toInput(listing, scores, at));
    const kept = await auditKeeper.keep({ listing, report, computed_at: at }, requestId);

    const { day, isDailyPass, passed_day: passedDay, next } = dailyPassOf(listing, at);
    const aimed = keywordsOf(own.filter(({ importance }) => importance === importances.indexed));
    const basketTerms = await visibilityKeeper.renew({
      listing,
      basket,
      tracked,
      own: aimed,
      scores,
      day,
      isDailyPass,
    });
    const isNewlyWanted = isDailyPass || key !== listing.terms_key;
    if (isNewlyWanted) await want(listing, own, keywordsOf(basketTerms), at);
    const isPending = all.some((keyword) => !isMeasured(scores.get(keyword)));
    await listings.finish(listingId, auditId, {
      is_pending: isPending,
      passed_day: passedDay,
      terms_key: key,
      due_at: next,
    });
    return kept;
  };
}

function toInput(listing: Listing, terms: ReadonlyMap<string, TermScore>, now: Date): AuditInput {
  const { store, content } = listing;
  return {
    storefront: storefrontOf(listing),
    app_id: listing.app_id,
    texts: textsOf(content),
    terms,
    now,
    developer_name: content.developer_name,
    genre: content.genre,
    context: contextOf(store, content, now),
  };
}

function isMeasured(score: TermScore | undefined): boolean {
  return score !== undefined && score.traffic !== null && score.difficulty !== null;
}

function keywordsOf(terms: readonly { keyword: string }[]): string[] {
  return terms.map(({ keyword }) => keyword);
}

function storefrontOf({ store, country, lang }: Storefront): Storefront {
  return { store, country, lang };
}
