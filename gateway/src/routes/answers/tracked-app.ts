import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import { z } from 'zod';
import type { Clients } from '../../clients.ts';
import * as shapes from '../shapes/shapes.ts';
import { toStorefront } from './from-proto.ts';

/** The application in answers about its listing. */
export const trackedApp = z.object({
  id: shapes.internalId,
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  ...shapes.storefront,
});

/**
 * The current listing of an application of this account, from tracking. Routes pass it on to scoring.
 * @throws APP_NOT_FOUND when the account does not track it
 */
export async function findTrackedListing(
  deps: { tracking: Pick<Clients['tracking'], 'getTrackedListing'> },
  request: { account_id: string; id: number },
  call: CallOptions,
): Promise<TrackedListing> {
  const { listing } = await deps.tracking.getTrackedListing(request, call);
  if (listing === null) throw new Error('the reply of tracking has no listing');
  return listing;
}

/** @throws when the listing of the reply is empty */
export function toTrackedApp({ id, storefront, listing }: TrackedListing): z.output<typeof trackedApp> {
  if (listing === null) throw new Error('the reply of tracking has an empty listing');
  return { id, app_id: listing.app_id, title: listing.title ?? null, ...toStorefront(storefront) };
}
