import type { GetListingReply, GetListingRequest } from '@shelfwise/proto/store/v1/store';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import { checkStorefront, checkText } from '../check-request.ts';
import type { StoreSource } from '../sources/source.ts';
import { beforeDeadline } from '../store-deadline.ts';

const maxAppIdLength = 255;

/** One app's page in one storefront. */
export async function getListing(
  source: StoreSource,
  request: GetListingRequest,
  call: CallContext,
): Promise<GetListingReply> {
  const storefront = checkStorefront(request.storefront);
  const appId = checkText('app_id', request.app_id, 1, maxAppIdLength);

  const {
    listing,
    readAt,
    source: readFrom,
  } = await beforeDeadline(call, (signal) => source.getListing(storefront, appId, { signal }));
  return {
    reading: { read_at: readAt, source: readFrom },
    listing: {
      app_id: listing.appId,
      bundle_id: listing.bundleId,
      title: listing.title,
      description: listing.description,
      url: listing.url,
      icon: listing.icon,
      screenshots: listing.screenshots,
      developer_name: listing.developerName,
      genre: listing.genre,
      version: listing.version,
      score: listing.score,
      ratings: listing.ratings,
      released_at: listing.releasedAt,
      updated_at: listing.updatedAt,
    },
  };
}
