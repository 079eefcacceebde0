import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { SearchAppsReply, SearchAppsRequest } from '@shelfwise/proto/store/v1/store';
import { checkDay, checkText } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { StoreSource } from '../source.ts';
import { beforeDeadline, readOptions } from './before-deadline.ts';
import { checkLimit, checkMoment } from './check-request.ts';
import { toReadingMessage } from './to-reading-message.ts';

const maxTermLength = 200;

type Deps = { source: Pick<StoreSource, 'search'> };

/** The apps that a search shows, in the store's order. */
export async function searchApps(
  { source }: Deps,
  request: SearchAppsRequest,
  call: CallContext,
): Promise<SearchAppsReply> {
  const storefront = checkStorefront(request.storefront);
  const term = checkText('term', request.term, 1, maxTermLength);
  const limit = checkLimit(request.limit);
  const onDay = request.on_day == null ? null : checkDay('on_day', request.on_day);

  const freshSince = checkMoment('fresh_since', request.fresh_since ?? null);

  const page = await beforeDeadline(call, (signal) =>
    source.search(storefront, term, {
      ...readOptions(request, call, signal),
      limit,
      onDay,
      hadResults: request.had_results ?? null,
      freshSince,
    }),
  );
  const completeRows = request.complete_rows ?? page.apps.length;
  const others = page.apps.slice(completeRows).map(({ app_id }) => ({ app_id, updated_at: null }));
  return {
    reading: toReadingMessage(page),
    apps: [...page.apps.slice(0, completeRows), ...others],
    is_suspect: page.isSuspect,
  };
}
