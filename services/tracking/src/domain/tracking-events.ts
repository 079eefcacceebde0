import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { type NewEvent, newEvent } from '@shelfwise/runtime/events/outbox';
import { type ListingReading, toTrackedListing } from './listing.ts';
import type { ChangedField } from './listing-changes.ts';
import type { Snapshot } from './snapshot.ts';

/*
 * The second argument of `newEvent` is the key: events with the same key stay in order. Here it is the internal app id
 * or the keyword id.
 */

/** When a change was made, and by which request. Every event carries both. */
export type Change = { at: Date; requestId: string };

/** What a keyword id identifies. */
export type KeywordMarketKey = { keyword_id: number; keyword: string; storefront: Storefront };

export function applicationTracked(
  accountId: string,
  listing: Parameters<typeof toTrackedListing>[0],
  change: Change,
): NewEvent {
  return newEvent(
    'tracking.application-tracked.v1',
    String(listing._id),
    { account_id: accountId, at: change.at, listing: toTrackedListing(listing) },
    change,
  );
}

/** `id` is the internal app id. */
export function applicationUntracked(app: { account_id: string; id: number }, change: Change): NewEvent {
  return newEvent('tracking.application-untracked.v1', String(app.id), { ...app, at: change.at }, change);
}

/** In the two events of a tracked keyword, `app_id` is the internal app id. `scored_at`: of the scores that lists show. */
export function keywordTracked(
  row: { account_id: string; app_id: number; scored_at: Date | null } & KeywordMarketKey,
  change: Change,
): NewEvent {
  return newEvent('tracking.keyword-tracked.v1', String(row.keyword_id), { ...row, at: change.at }, change);
}

export function keywordUntracked(
  row: { account_id: string; keyword_id: number; app_id: number },
  change: Change,
): NewEvent {
  return newEvent('tracking.keyword-untracked.v1', String(row.keyword_id), { ...row, at: change.at }, change);
}

/** `app_id` is the internal app id. */
export function keywordFavoriteSet(
  row: { account_id: string; keyword_id: number; app_id: number; is_favorite: boolean },
  change: Change,
): NewEvent {
  return newEvent(
    'tracking.keyword-favorite-set.v1',
    String(row.keyword_id),
    { ...row, at: change.at },
    change,
  );
}

/** `app_id` is the internal app id of the application, `listing` the competitor. */
export function competitorTracked(
  row: { account_id: string; app_id: number },
  listing: Parameters<typeof toTrackedListing>[0],
  change: Change,
): NewEvent {
  return newEvent(
    'tracking.competitor-tracked.v1',
    String(row.app_id),
    { ...row, at: change.at, listing: toTrackedListing(listing) },
    change,
  );
}

/** `listing_id` is the internal app id of the application. */
export function competitorUntracked(
  row: { account_id: string; listing_id: number; competitor_id: number },
  change: Change,
): NewEvent {
  const { account_id, listing_id: appId, competitor_id } = row;
  const event = { account_id, app_id: appId, competitor_id, at: change.at };
  return newEvent('tracking.competitor-untracked.v1', String(appId), event, change);
}

export function snapshotTaken(
  market: KeywordMarketKey,
  snapshot: Snapshot,
  change: Change,
  wasReadTwice?: boolean,
): NewEvent {
  return newEvent(
    'tracking.snapshot-taken.v1',
    String(market.keyword_id),
    { ...market, ...snapshot, was_read_twice: wasReadTwice },
    change,
  );
}

/** A new revision of a listing. `changed` names the fields that differ from the previous one. */
export function listingChanged(
  listing: Parameters<typeof toTrackedListing>[0] & { changed: ChangedField[] },
  change: Change,
): NewEvent {
  return newEvent(
    'tracking.listing-changed.v1',
    String(listing._id),
    { listing: toTrackedListing(listing), changed: listing.changed },
    change,
  );
}

/** A reading that showed no change. */
export function listingRead(
  listing: Pick<ListingReading, 'read_at' | 'source' | 'ratings'> & { _id: number },
  change: Change,
): NewEvent {
  return newEvent(
    'tracking.listing-read.v1',
    String(listing._id),
    { id: listing._id, read_at: listing.read_at, source: listing.source, ratings: listing.ratings },
    change,
  );
}
