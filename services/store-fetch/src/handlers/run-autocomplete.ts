import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { RunAutocompleteReply, RunAutocompleteRequest } from '@shelfwise/proto/store/v1/autocomplete';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import { withDeadline } from '@shelfwise/runtime/concurrency/deadline';
import { untilAborted } from '@shelfwise/runtime/concurrency/until-aborted';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { urgentFor } from '../budget/urgency.ts';
import type { Reading, StoreSource } from '../source.ts';
import { explainUnsupported } from '../sources/unsupported-storefront.ts';
import { StoreFailure, storeFetchFailed } from '../store-health/store-failure.ts';
import type { AutocompleteKey, AutocompleteStore } from '../stores/autocomplete-store.ts';
import { beforeDeadline } from './before-deadline.ts';
import { checkPrefix } from './check-request.ts';

const maxSaveMs = 5000;
/** Time reserved for the reply before the caller's deadline. */
const replyMs = 500;

type Deps = {
  source: Pick<StoreSource, 'suggest'>;
  autocompletes: Pick<AutocompleteStore, 'save'>;
  sourceGuard: SourceGuard;
  now: () => Date;
};

/**
 * The store's completions of a prefix, saved in the account's history.
 * @throws STORE_FETCH_FAILED also when the suggestions are unknown: an empty list is returned only after several looks
 */
export async function runAutocomplete(
  deps: Deps,
  request: RunAutocompleteRequest,
  call: CallContext,
): Promise<RunAutocompleteReply> {
  const accountId = checkAccountId(request.account_id);
  const storefront = checkStorefront(request.storefront);
  const prefix = checkPrefix(request.prefix, storefront.lang);

  const { terms, source } = await beforeDeadline(call, (signal) =>
    deps.source.suggest(storefront, prefix, {
      signal,
      urgency: urgentFor(call.callerId),
      requestId: call.requestId,
      isThorough: true,
    }),
  );
  if (terms === null) throw unknownSuggestions(storefront, prefix);
  return {
    normalized_prefix: prefix,
    suggestions: terms,
    is_saved: await trySave(
      deps,
      { account_id: accountId, ...storefront, prefix },
      { source, count: terms.length },
      call,
    ),
  };
}

function unknownSuggestions(storefront: Storefront, prefix: string): AppError {
  const unsupported = explainUnsupported(storefront, prefix);
  if (unsupported !== null)
    return new AppError('STORE_FETCH_FAILED', `${unsupported} Trying again does not change that.`);
  const message = 'gives no suggestions at the moment that can be relied on: it is throttling';
  return storeFetchFailed(storefront.store, new StoreFailure('throttled', message));
}

/** Saves the query; false when that fails, because the suggestions are returned anyway. */
async function trySave(
  { autocompletes, sourceGuard, now }: Deps,
  key: AutocompleteKey,
  { source, count }: { source: Reading['source']; count: number },
  { log, deadline }: CallContext,
): Promise<boolean> {
  const error = new Error('the database does not answer');
  const limit = { maxMs: maxSaveMs, reserveMs: replyMs, error };
  const save = async () => {
    await sourceGuard.admit(source);
    await autocompletes.save(key, { suggestion_count: count, last_queried_at: now() });
  };
  try {
    // The save is not canceled: it may still succeed after the time limit.
    await withDeadline({ deadline }, limit, (signal) => untilAborted(save(), signal));
    return true;
  } catch (error) {
    log.error(
      { err: error },
      'an autocomplete query could not be saved in the history; its suggestions were returned',
    );
    return false;
  }
}
