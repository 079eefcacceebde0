import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { GetListingReply, GetListingRequest } from '@shelfwise/proto/store/v1/store';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { StoreSource } from '../source.ts';
import { beforeDeadline, readOptions } from './before-deadline.ts';
import { checkAppId } from './check-request.ts';
import { toReadingMessage } from './to-reading-message.ts';

type Deps = { source: Pick<StoreSource, 'getListing'> };

export async function getListing(
  { source }: Deps,
  request: GetListingRequest,
  call: CallContext,
): Promise<GetListingReply> {
  const storefront = checkStorefront(request.storefront);
  const appId = checkAppId('app_id', request.app_id);
  const withSubtitle = request.with_subtitle;

  const { listing, ...reading } = await beforeDeadline(call, (signal) =>
    source.getListing(storefront, appId, { ...readOptions(request, call, signal), withSubtitle }),
  );
  return { reading: toReadingMessage(reading), listing };
}
