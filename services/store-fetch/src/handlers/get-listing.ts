import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { GetListingReply, GetListingRequest } from '@shelfwise/proto/store/v1/store';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import { beforeDeadline } from '../before-deadline.ts';
import { checkAppId } from '../check-request.ts';
import type { StoreSource } from '../sources/source.ts';
import { readOptions } from './read-options.ts';
import { toListingMessage } from './to-messages.ts';
import { toReadingMessage } from './to-reading-message.ts';

/** One app's page in one storefront. */
export async function getListing(
  source: StoreSource,
  request: GetListingRequest,
  call: CallContext,
): Promise<GetListingReply> {
  const storefront = checkStorefront(request.storefront);
  const appId = checkAppId('app_id', request.app_id);
  const withSubtitle = request.with_subtitle;

  const { listing, ...reading } = await beforeDeadline(call, (signal) =>
    source.getListing(storefront, appId, { ...readOptions(request, signal), withSubtitle }),
  );
  return { reading: toReadingMessage(reading), listing: toListingMessage(listing) };
}
