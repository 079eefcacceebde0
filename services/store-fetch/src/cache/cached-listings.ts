import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import type { Listing, ListingResult, LiveStores, Reading, StoreSource } from '../source.ts';
import { listingSchema } from './answer-schemas.ts';
import type { CachedDeps } from './cached.ts';

type FoundListing = Reading & { listing: Listing };
/** `subtitleAt`: when the subtitle was read, or was found to be unreadable; null when it was not requested. */
type CachedFound = { found: FoundListing; subtitleAt: Date | null };
/** `missing`: the store has no such app; the message of the APP_NOT_FOUND error. */
type CachedListing = CachedFound | { missing: string; readAt: Date };
/** `freshSince`: nothing read earlier is used; null: any age. */
type Requirements = { withSubtitle: boolean; freshSince: Date | null };

export const hourMs = 60 * 60_000;
const listingTtlMs = 6 * hourMs;
/** Short, because an app may be released at any moment and a caller may be waiting for that. */
const missingListingTtlMs = 5 * 60_000;
/** The store sometimes refuses subtitle pages, so a listing without its subtitle is cached only briefly. */
const missingSubtitleTtlMs = 5 * 60_000;

/**
 * The cache of listings, each under the requested id, its app id and its bundle id. For a list of apps only the
 * uncached ones are read. A cached listing with subtitle also serves requests without one. A listing that was read
 * without its subtitle takes over the cached subtitle.
 */
export function createCachedListings(
  deps: CachedDeps & { stores: LiveStores },
): Pick<StoreSource, 'getListing' | 'getListings'> {
  const { stores, cache, readings, now, onCacheLookup } = deps;
  const listings = cache.section<CachedListing>('listing', listingSchema);

  function findUsable(storefront: Storefront, appId: string, required: Requirements): CachedListing | null {
    const cached = listings.get(listingKey(storefront, appId));
    const isHit = cached !== undefined && isUsable(cached, required, now());
    onCacheLookup('listing', isHit);
    return isHit ? cached : null;
  }

  /** The answers that other copies of the service have shared, by id; null when nothing is shared. */
  function findShared(
    storefront: Storefront,
    appIds: readonly string[],
    required: Requirements,
  ): Promise<Map<string, CachedListing>> | null {
    const { findShared } = listings;
    if (!findShared) return null;
    const find = async (appId: string) => {
      const shared = await findShared(listingKey(storefront, appId));
      return shared !== undefined && isUsable(shared, required, now()) ? [[appId, shared] as const] : [];
    };
    return Promise.all(appIds.map(find)).then((found) => new Map(found.flat()));
  }

  function save(storefront: Storefront, appId: string, answer: CachedListing): void {
    if ('missing' in answer) {
      listings.set(listingKey(storefront, appId), answer, addMs(answer.readAt, missingListingTtlMs));
      return;
    }
    const { readAt, listing } = answer.found;
    const cached = withCachedSubtitle(answer, listings.get(listingKey(storefront, listing.app_id)));
    for (const id of new Set([appId, listing.app_id, listing.bundle_id ?? appId]))
      listings.set(listingKey(storefront, id), cached, addMs(readAt, listingTtlMs));
  }

  return {
    async getListing(storefront, appId, options) {
      const { withSubtitle } = options;
      const required = { withSubtitle, freshSince: null };
      const cached = findUsable(storefront, appId, required);
      if (cached) return foundOrThrow(cached);
      const key = `listing ${withSubtitle} ${listingKey(storefront, appId)}`;
      const { answer } = await readings.read(
        key,
        options,
        async (forAll) => {
          const found = findShared(storefront, [appId], required);
          const shared = found && (await found).get(appId);
          if (shared) return { answer: shared, isNew: false };
          const startedAt = now();
          const reading = stores[storefront.store].getListing(storefront, appId, { ...forAll, withSubtitle });
          return { answer: await foundOrMissing(reading, { startedAt, withSubtitle }), isNew: true };
        },
        (read) => {
          if (read.isNew) save(storefront, appId, read.answer);
        },
      );
      return foundOrThrow(answer);
    },

    async getListings(storefront, appIds, options) {
      const { withSubtitle, freshSince } = options;
      const outcomes = new Map<string, ListingResult['outcome']>();
      for (const appId of appIds) {
        const cached = findUsable(storefront, appId, { withSubtitle, freshSince });
        if (cached) outcomes.set(appId, toOutcome(cached));
      }
      // Sorted, so that lists of the same apps in any order share one read.
      const uncached = [...new Set(appIds)].filter((appId) => !outcomes.has(appId)).sort();
      if (uncached.length > 0) {
        const key = `listings ${JSON.stringify([storefrontKey(storefront), uncached, withSubtitle, freshSince])}`;
        const startedAt = now();
        const { shared, read } = await readings.read(
          key,
          options,
          async (forAll) => {
            const found = findShared(storefront, uncached, { withSubtitle, freshSince });
            const shared = found ? await found : new Map<string, CachedListing>();
            const missing = uncached.filter((appId) => !shared.has(appId));
            const { getListings } = stores[storefront.store];
            const read =
              missing.length > 0 ? await getListings(storefront, missing, { ...forAll, withSubtitle }) : [];
            return { shared, read };
          },
          ({ read }) => {
            for (const { appId, outcome } of read) {
              const answer = toCached(outcome, { startedAt, withSubtitle });
              if (answer) save(storefront, appId, answer);
            }
          },
        );
        for (const [appId, answer] of shared) outcomes.set(appId, toOutcome(answer));
        for (const { appId, outcome } of read) outcomes.set(appId, outcome);
      }
      return appIds.map((appId) => ({ appId, outcome: outcomeOf(outcomes, appId) }));
    },
  };
}

function isUsable(cached: CachedListing, { withSubtitle, freshSince }: Requirements, now: Date): boolean {
  const isFresh = (readAt: Date | null) => freshSince === null || (readAt !== null && readAt >= freshSince);
  if ('missing' in cached) return isFresh(cached.readAt);
  const hasSubtitle = isFresh(cached.subtitleAt) && !isSubtitleExpired(cached, now);
  return isFresh(cached.found.readAt) && (hasSubtitle || !withSubtitle);
}

function isSubtitleExpired({ found, subtitleAt }: CachedFound, now: Date): boolean {
  const ttlMs = found.listing.subtitle === null ? missingSubtitleTtlMs : listingTtlMs;
  return subtitleAt === null || now >= addMs(subtitleAt, ttlMs);
}

/** A newer listing without subtitle takes over the cached one; the subtitle's age stays the same. */
function withCachedSubtitle(answer: CachedFound, cached: CachedListing | undefined): CachedFound {
  const { found, subtitleAt } = answer;
  if (subtitleAt !== null || !cached || 'missing' in cached) return answer;
  const { subtitle } = cached.found.listing;
  return { found: { ...found, listing: { ...found.listing, subtitle } }, subtitleAt: cached.subtitleAt };
}

type ReadContext = { startedAt: Date; withSubtitle: boolean };

async function foundOrMissing(reading: Promise<FoundListing>, context: ReadContext): Promise<CachedListing> {
  try {
    return toFound(await reading, context);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { missing: error.message, readAt: context.startedAt };
  }
}

/** The subtitle may have been read without a request: Google Play shows its short description on the same page. */
function toFound(found: FoundListing, { withSubtitle }: ReadContext): CachedFound {
  return { found, subtitleAt: withSubtitle || found.listing.subtitle !== null ? found.readAt : null };
}

function foundOrThrow(answer: CachedListing): FoundListing {
  if ('missing' in answer) throw notFound(answer.missing);
  return answer.found;
}

function toOutcome(answer: CachedListing): ListingResult['outcome'] {
  return 'missing' in answer ? notFound(answer.missing) : answer.found;
}

/**
 * The outcome in the form that is cached; null for a store failure, which is never cached.
 * @throws any other failure, such as a lost database, because it fails the whole request
 */
function toCached(outcome: ListingResult['outcome'], context: ReadContext): CachedListing | null {
  if (!(outcome instanceof AppError)) return toFound(outcome, context);
  if (outcome.code === 'APP_NOT_FOUND') return { missing: outcome.message, readAt: context.startedAt };
  if (outcome.code !== 'STORE_FETCH_FAILED') throw outcome;
  return null;
}

function outcomeOf(outcomes: ReadonlyMap<string, ListingResult['outcome']>, appId: string) {
  const outcome = outcomes.get(appId);
  if (!outcome) throw new Error(`the source returned no result for ${appId}`);
  return outcome;
}

function isNotFound(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'APP_NOT_FOUND';
}

function notFound(message: string): AppError {
  return new AppError('APP_NOT_FOUND', message);
}

function listingKey(storefront: Storefront, appId: string): string {
  return JSON.stringify([storefrontKey(storefront), appId]);
}

export function addMs(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}
