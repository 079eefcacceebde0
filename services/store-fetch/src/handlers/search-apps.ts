import type { SearchAppsReply, SearchAppsRequest } from '@shelfwise/proto/store/v1/store';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import { checkStorefront, checkText } from '../check-request.ts';
import type { StoreSource } from '../sources/source.ts';
import { beforeDeadline } from '../store-deadline.ts';

const maxTermLength = 200;
const maxResults = 200;

/** The apps that a search shows, in the store's order. */
export async function searchApps(
  source: StoreSource,
  request: SearchAppsRequest,
  call: CallContext,
): Promise<SearchAppsReply> {
  const storefront = checkStorefront(request.storefront);
  const term = checkText('term', request.term, 1, maxTermLength);
  if (request.limit < 1 || request.limit > maxResults)
    throw invalidParams({ limit: `must be 1 to ${maxResults}` });

  const page = await beforeDeadline(call, (signal) =>
    source.search(storefront, term, { limit: request.limit, signal }),
  );
  return {
    reading: { read_at: page.readAt, source: page.source },
    apps: page.apps.map((app) => ({
      app_id: app.appId,
      title: app.title,
      icon: app.icon,
      developer_name: app.developerName,
      genre: app.genre,
      score: app.score,
      ratings: app.ratings,
    })),
  };
}
