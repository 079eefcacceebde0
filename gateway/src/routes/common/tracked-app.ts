import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import { z } from 'zod';
import type { Clients } from '../../clients.ts';
import { toMarket } from './from-proto.ts';
import * as shapes from './shapes.ts';

/** An application as answers about its listing name it. */
export const trackedApp = z.object({
  id: shapes.internalId,
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  store: shapes.store,
  country: shapes.country,
  lang: shapes.lang,
});

/**
 * The listing of an application of this account, as tracking knows it at this moment: whoever scores it is handed it.
 * @throws APP_NOT_FOUND when the account does not track it
 */
export async function findTrackedListing(
  clients: Pick<Clients, 'tracking'>,
  wanted: { account_id: string; id: number },
  call: CallOptions,
): Promise<TrackedListing> {
  const { listing } = await clients.tracking.getTrackedListing(wanted, call);
  if (listing === null) throw new Error('tracking answered without the listing');
  return listing;
}

/** @throws when tracking left out what every listing has */
export function toTrackedApp({ id, storefront, listing }: TrackedListing): z.output<typeof trackedApp> {
  if (listing === null) throw new Error('tracking answered with an empty listing');
  return { id, app_id: listing.app_id, title: listing.title, ...toMarket(storefront) };
}
