import { AppError } from '@shelfwise/runtime/errors';
import type { KeptAnswers } from './kept-answers.ts';
import type { SharedReadings } from './shared-readings.ts';
import type { Listing, ListingResult, Reading, Storefront, StoreSource } from './sources/source.ts';

export type CachedKind = 'search' | 'listing' | 'suggest' | 'chart' | 'categories';

export type CachedDeps = {
  source: StoreSource;
  kept: KeptAnswers;
  readings: SharedReadings;
  now: () => Date;
  /** Told of every look-up. */
  onLookUp(kind: CachedKind, isHit: boolean): void;
};

type FoundListing = Reading & { listing: Listing };
type KeptListing = FoundListing | { missing: string; readAt: Date };
type Wanted = { withSubtitle: boolean; freshSince: Date | null };

export const hourMs = 60 * 60_000;
const listingMs = 6 * hourMs;
/** An app may come out any moment, and somebody may be waiting for just that. */
const missingListingMs = 5 * 60_000;

/**
 * Apps' pages, kept one by one under every id that they are asked for with; of several the store is asked for those
 * that are not kept. A page with its subtitle serves those who want it without.
 */
export function createCachedListings(deps: CachedDeps): Pick<StoreSource, 'getListing' | 'getListings'> {
  const { source, kept, readings, now, onLookUp } = deps;
  const listings = kept.shelf<KeptListing>('listing');

  function find(storefront: Storefront, appId: string, wanted: Wanted): KeptListing | null {
    const found = listings.find(listingKey(storefront, appId));
    const isHit = found !== undefined && willDo(found, wanted);
    onLookUp('listing', isHit);
    return isHit ? found : null;
  }

  function keep(storefront: Storefront, appId: string, answer: KeptListing): void {
    const isMissing = 'missing' in answer;
    const ids = isMissing ? [appId] : [appId, answer.listing.appId, answer.listing.bundleId];
    const until = later(answer.readAt, isMissing ? missingListingMs : listingMs);
    for (const id of new Set(ids)) listings.keep(listingKey(storefront, id), answer, until);
  }

  return {
    async getListing(storefront, appId, options) {
      const { withSubtitle } = options;
      const found = find(storefront, appId, { withSubtitle, freshSince: null });
      if (found) return orNotFound(found);
      const key = `listing ${withSubtitle} ${listingKey(storefront, appId)}`;
      const read = await readings.read(key, options, async (shared) => {
        const begunAt = now();
        const reading = source.getListing(storefront, appId, { ...shared, withSubtitle });
        const answer = await orMissing(reading, begunAt);
        keep(storefront, appId, answer);
        return answer;
      });
      return orNotFound(read);
    },

    async getListings(storefront, appIds, options) {
      const { withSubtitle, freshSince } = options;
      const outcomes = new Map<string, ListingResult['outcome']>();
      for (const appId of appIds) {
        const found = find(storefront, appId, { withSubtitle, freshSince });
        if (found) outcomes.set(appId, toOutcome(found));
      }
      const wanted = appIds.filter((appId) => !outcomes.has(appId));
      if (wanted.length > 0) {
        const key = `listings ${JSON.stringify([keyOf(storefront), wanted, withSubtitle, freshSince])}`;
        const read = await readings.read(key, options, async (shared) => {
          const begunAt = now();
          const results = await source.getListings(storefront, wanted, {
            ...{ ...shared, withSubtitle, freshSince },
          });
          for (const { appId, outcome } of results) {
            const answer = toKept(outcome, begunAt);
            if (answer) keep(storefront, appId, answer);
          }
          return results;
        });
        for (const { appId, outcome } of read) outcomes.set(appId, outcome);
      }
      return appIds.map((appId) => ({ appId, outcome: outcomeOf(outcomes, appId) }));
    },
  };
}

function willDo(found: KeptListing, { withSubtitle, freshSince }: Wanted): boolean {
  if (freshSince !== null && found.readAt < freshSince) return false;
  return 'missing' in found || !withSubtitle || found.listing.subtitle !== null;
}

async function orMissing(reading: Promise<FoundListing>, begunAt: Date): Promise<KeptListing> {
  try {
    return await reading;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { missing: error.message, readAt: begunAt };
  }
}

function orNotFound(answer: KeptListing): FoundListing {
  if ('missing' in answer) throw notFound(answer.missing);
  return answer;
}

function toOutcome(answer: KeptListing): ListingResult['outcome'] {
  return 'missing' in answer ? notFound(answer.missing) : answer;
}

/** Null: a failure, which is not kept. One that is not the store's (a lost database) is not an app's either. */
function toKept(outcome: ListingResult['outcome'], begunAt: Date): KeptListing | null {
  if (!(outcome instanceof AppError)) return outcome;
  if (outcome.code === 'APP_NOT_FOUND') return { missing: outcome.message, readAt: begunAt };
  if (outcome.code !== 'STORE_FETCH_FAILED') throw outcome;
  return null;
}

function outcomeOf(outcomes: ReadonlyMap<string, ListingResult['outcome']>, appId: string) {
  const outcome = outcomes.get(appId);
  if (!outcome) throw new Error(`the source has not answered for ${appId}`);
  return outcome;
}

function isNotFound(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'APP_NOT_FOUND';
}

function notFound(message: string): AppError {
  return new AppError('APP_NOT_FOUND', message);
}

function listingKey(storefront: Storefront, appId: string): string {
  return JSON.stringify([keyOf(storefront), appId]);
}

/** A storefront as part of a key. */
export function keyOf({ store, country, lang }: Storefront): string {
  return `${store}:${country}:${lang}`;
}

export function later(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}
