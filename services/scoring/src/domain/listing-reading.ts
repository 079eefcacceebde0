import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Listing } from '@shelfwise/proto/store/v1/store';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { checkId, checkInteger, checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';

/** A listing as tracking read it. */
export type ListingReading = {
  /** internal app id */
  id: number;
  storefront: Storefront;
  app_id: string;
  /** counts the readings that differed */
  revision: number;
  read_at: Date;
  source: string;
  content: Listing;
};

const maxSourceLength = 64;
const maxAppIdLength = 255;

/** @throws INVALID_PARAMS naming what is missing or out of bounds */
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
  };
}
