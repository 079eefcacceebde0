import { type Storefront, storefrontKey } from '@shelfwise/facts/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import type { Listing, ListingResult, Reading, StoreSource } from '../sources/source.ts';
import type { KeptAnswers } from './answer-cache.ts';
import type { SharedReadings } from './shared-readings.ts';

export type CachedKind = 'search' | 'listing' | 'suggest' | 'chart';

export type CachedDeps = {
  source: StoreSource;
  kept: KeptAnswers;
  readings: SharedReadings;
  now: () => Date;
  /** Told of every look-up. */
  onLookUp(kind: CachedKind, isHit: boolean): void;
};

type FoundListing = Reading & { listing: Listing };
/** `subtitleAt`: when the subtitle was read, or sought in vain; null: nobody wanted it. */
type KeptFound = { found: FoundListing; subtitleAt: Date | null };
type KeptListing = KeptFound | { missing: string; readAt: Date };
type Wanted = { withSubtitle: boolean; freshSince: Date | null };

export const hourMs = 60 * 60_000;
const listingMs = 6 * hourMs;
/** An app may come out any moment, and somebody may be waiting for just that. */
const missingListingMs = 5 * 60_000;
/** Pages that tell subtitles are refused at times: a listing without one stands, but not for long. */
const missingSubtitleMs = 5 * 60_000;

/**
 * Apps' pages, kept one by one under every id that they are asked for with; of several the store is asked for those
 * that are not kept. A listing with its subtitle serves those who want it without; one that was read without keeps the
 * subtitle that is known.
 */
export function createCachedListings(deps: CachedDeps): Pick<StoreSource, 'getListing' | 'getListings'> {
  const { source, kept, readings, now, onLookUp } = deps;
  const listings = kept.shelf<KeptListing>('listing');

  function find(storefront: Storefront, appId: string, wanted: Wanted): KeptListing | null {
    const found = listings.find(listingKey(storefront, appId));
    const isHit = found !== undefined && willDo(found, wanted, now());
    onLookUp('listing', isHit);
    return isHit ? found : null;
  }

  function keep(storefront: Storefront, appId: string, answer: KeptListing): void {
    if ('missing' in answer) {
      listings.keep(listingKey(storefront, appId), answer, later(answer.readAt, missingListingMs));
      return;
    }
    const { readAt, listing } = answer.found;
    const kept = withKnownSubtitle(answer, listings.find(listingKey(storefront, listing.appId)));
    for (const id of new Set([appId, listing.appId, listing.bundleId]))
      listings.keep(listingKey(storefront, id), kept, later(readAt, listingMs));
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
        const answer = await orMissing(reading, { begunAt, withSubtitle });
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
      // Sorted: lists of the same apps are one question.
      const wanted = [...new Set(appIds)].filter((appId) => !outcomes.has(appId)).sort();
      if (wanted.length > 0) {
        const key = `listings ${JSON.stringify([storefrontKey(storefront), wanted, withSubtitle, freshSince])}`;
        const read = await readings.read(key, options, async (shared) => {
          const begunAt = now();
          const results = await source.getListings(storefront, wanted, {
            ...shared,
            withSubtitle,
            freshSince,
          });
          for (const { appId, outcome } of results) {
            const answer = toKept(outcome, { begunAt, withSubtitle });
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

function willDo(kept: KeptListing, { withSubtitle, freshSince }: Wanted, now: Date): boolean {
  const isFresh = (readAt: Date | null) => freshSince === null || (readAt !== null && readAt >= freshSince);
  if ('missing' in kept) return isFresh(kept.readAt);
  const hasSubtitle = isFresh(kept.subtitleAt) && isSubtitleGood(kept, now);
  return isFresh(kept.found.readAt) && (hasSubtitle || !withSubtitle);
}

function isSubtitleGood({ found, subtitleAt }: KeptFound, now: Date): boolean {
  const goodMs = found.listing.subtitle === null ? missingSubtitleMs : listingMs;
  return subtitleAt !== null && now < later(subtitleAt, goodMs);
}

/** A newer reading that was not to tell the subtitle, with the one that is kept and as old as that is. */
function withKnownSubtitle(answer: KeptFound, kept: KeptListing | undefined): KeptFound {
  const { found, subtitleAt } = answer;
  if (subtitleAt !== null || !kept || 'missing' in kept) return answer;
  const { subtitle } = kept.found.listing;
  return { found: { ...found, listing: { ...found.listing, subtitle } }, subtitleAt: kept.subtitleAt };
}

type Asked = { begunAt: Date; withSubtitle: boolean };

async function orMissing(reading: Promise<FoundListing>, asked: Asked): Promise<KeptListing> {
  try {
    return toFound(await reading, asked);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { missing: error.message, readAt: asked.begunAt };
  }
}

function toFound(found: FoundListing, { withSubtitle }: Asked): KeptFound {
  return { found, subtitleAt: withSubtitle || found.listing.subtitle !== null ? found.readAt : null };
}

function orNotFound(answer: KeptListing): FoundListing {
  if ('missing' in answer) throw notFound(answer.missing);
  return answer.found;
}

function toOutcome(answer: KeptListing): ListingResult['outcome'] {
  return 'missing' in answer ? notFound(answer.missing) : answer.found;
}

/** Null: a failure, which is not kept. One that is not the store's (a lost database) is not an app's either. */
function toKept(outcome: ListingResult['outcome'], asked: Asked): KeptListing | null {
  if (!(outcome instanceof AppError)) return toFound(outcome, asked);
  if (outcome.code === 'APP_NOT_FOUND') return { missing: outcome.message, readAt: asked.begunAt };
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
  return JSON.stringify([storefrontKey(storefront), appId]);
}

export function later(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}
