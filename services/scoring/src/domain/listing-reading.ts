import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Listing } from '@shelfwise/proto/store/v1/listing';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { checkId, checkInteger, checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';

/** A listing as tracking read it from the store. */
export type ListingReading = {
  /** internal app id */
  id: number;
  storefront: Storefront;
  /** store identifier */
  app_id: string;
  /** 1 for the first reading, one more for each reading that showed a change */
  revision: number;
  read_at: Date;
  /** sample, app-store or google-play */
  source: string;
  /** What the store shows. */
  content: Listing;
  /** Since when the store does not list the app any more; null: it does. */
  unlisted_since: Date | null;
};

const maxSourceLength = 64;
const maxAppIdLength = 255;

/**
 * Checks a listing that tracking sent.
 * @throws INVALID_PARAMS naming the field that is missing or out of bounds
 */
export function readTrackedListing(app: TrackedListing | null): ListingReading {
  if (!app?.listing) throw invalidParams({ app: 'must be a listing that tracking knows' });
  if (!app.read_at) throw invalidParams({ app: 'must say when it was read' });
  return {
    id: checkId('app.id', app.id),
    storefront: checkStorefront(app.storefront),
    app_id: checkText('app.listing.app_id', app.listing.app_id, 1, maxAppIdLength),
    revision: checkInteger('app.revision', app.revision, 0, Number.MAX_SAFE_INTEGER),
    read_at: app.read_at,
    source: checkText('app.source', app.source, 1, maxSourceLength),
    content: app.listing,
    unlisted_since: app.unlisted_since ?? null,
  };
}
