import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type {
  GetListingsReply,
  GetListingsRequest,
  ListingResult as ListingResultMessage,
} from '@shelfwise/proto/store/v1/store';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { ListingResult, StoreSource } from '../source.ts';
import { StoreFailure } from '../store-health/store-failure.ts';
import { beforeDeadline, readOptions } from './before-deadline.ts';
import { checkAppId, checkMoment } from './check-request.ts';
import { toReadingMessage } from './to-reading-message.ts';

const maxApps = 20;

type Deps = { source: Pick<StoreSource, 'getListings'> };

/** Several apps' pages in one storefront, in the order of the request. One app's failure does not affect the others. */
export async function getListings(
  { source }: Deps,
  request: GetListingsRequest,
  call: CallContext,
): Promise<GetListingsReply> {
  const storefront = checkStorefront(request.storefront);
  const appIds = checkAppIds(request.app_ids);
  const freshSince = checkMoment('fresh_since', request.fresh_since ?? null);
  const withSubtitle = request.with_subtitle;

  const results = await beforeDeadline(call, (signal) =>
    source.getListings(storefront, appIds, {
      ...readOptions(request, call, signal),
      withSubtitle,
      freshSince,
    }),
  );
  logUnreadable(results, call);
  return { results: results.map(toResultMessage) };
}

/**
 * Logs why an app of a readable answer cannot be read: users of the API do not learn it. One line per request, because
 * the reason is often the same for all apps.
 */
function logUnreadable(results: readonly ListingResult[], { log }: CallContext): void {
  const failures = results.flatMap(({ appId, outcome }) =>
    outcome instanceof AppError && isMalformed(outcome.cause)
      ? [{ appId, reason: outcome.cause.message }]
      : [],
  );
  const [first] = failures;
  if (first)
    log.warn({ app_id: first.appId, reason: first.reason, apps: failures.length }, 'apps cannot be read');
}

function isMalformed(cause: unknown): cause is StoreFailure {
  return cause instanceof StoreFailure && cause.kind === 'malformed';
}

function checkAppIds(appIds: readonly string[]): readonly string[] {
  if (appIds.length < 1 || appIds.length > maxApps)
    throw invalidParams({ app_ids: `must be 1 to ${maxApps} apps` });
  if (new Set(appIds).size < appIds.length) throw invalidParams({ app_ids: 'must name each app once' });
  return appIds.map((appId) => checkAppId('app_ids', appId));
}

function toResultMessage({ appId, outcome }: ListingResult): ListingResultMessage {
  if (outcome instanceof AppError) {
    const { code, message } = outcome;
    return { app_id: appId, outcome: { $case: 'failure', value: { code, message } } };
  }
  const value = { reading: toReadingMessage(outcome), listing: outcome.listing };
  return { app_id: appId, outcome: { $case: 'found', value } };
}
