import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import { type Store, storeInSentence } from '@shelfwise/facts/stores/store';
import type { Reading, SearchAppsReply, StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { createFailureStreak } from '@shelfwise/runtime/concurrency/failure-streak';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import type { CallContext, CallOptions, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { topicDepth } from '../domain/is-on-topic.ts';
import { topicPrefixes } from '../domain/topic-prefixes.ts';
import type { Niche } from '../stores/analysis-store.ts';

export type StoreFetchClient = Pick<
  GrpcClient<typeof StoreFetchServiceService>,
  'suggestTerms' | 'searchApps'
>;

/**
 * The outcome of one query. `refused`: the store failed to answer, or the query was skipped after three failures.
 * `unread`: the time was up, or the storefront has no suggestions.
 */
type Outcome<Reply> = { reply: Reply } | 'refused' | 'unread';

/** The store's suggestions for one prefix, in its order. */
type Completion = { reading: Reading | null; terms: string[] };

export type StoreReplies = {
  page: Outcome<SearchAppsReply>;
  /** of the topic, then of the topic with each letter (`topicPrefixes`) */
  completions: Outcome<Completion>[];
  /** why the last query failed; null: none did */
  refusal: AppError | null;
};

/** The deadline of one query: the wait in store-fetch's queue (25 s at most) and the store's answer. */
const callMs = 35_000;
const prefixesAtOnce = 4;
/** store-fetch's limit, in UTF-16 units. A topic has up to 100 code points, which may take 200 units. */
const maxPrefixLength = 200;

/**
 * Queries the store for the topic's result page and for completions of the topic. When `signal` fires, the open queries
 * become `unread`. After three failures in a row (throttled suggestions count as failures) the remaining queries are
 * skipped and count as refused.
 * @throws errors that are not the store's or store-fetch's (`isUpstreamFailure`)
 */
export async function queryStore(
  storeFetch: StoreFetchClient,
  niche: Niche,
  { requestId, callerId, signal }: Pick<CallContext, 'requestId' | 'callerId' | 'signal'>,
): Promise<StoreReplies> {
  const { storefront, topic } = niche;
  const failures = createFailureStreak();
  let refusal: AppError | null = null;

  async function query<Reply>(
    call: (options: CallOptions) => Promise<Outcome<Reply>>,
  ): Promise<Outcome<Reply>> {
    if (signal.aborted) return 'unread';
    if (failures.isTripped()) return 'refused';
    const attemptNumber = failures.nextAttemptNumber();
    try {
      return await call({ requestId, callerId, signal, deadline: new Date(Date.now() + callMs) });
    } catch (error) {
      if (signal.aborted) return 'unread';
      if (!isUpstreamFailure(error)) throw error;
      refusal = error;
      failures.add(attemptNumber);
      return 'refused';
    }
  }

  async function complete(prefix: string, call: CallOptions): Promise<Outcome<Completion>> {
    const request = { storefront, prefix, for_daily_run: false, is_thorough: false };
    const { reading, suggestions } = await storeFetch.suggestTerms(request, call);
    if (suggestions) return { reply: { reading, terms: suggestions.terms } };
    if (hasNoAutocomplete(storefront)) return 'unread';
    throw suggestionsThrottled(storefront.store);
  }

  async function readPage(call: CallOptions): Promise<Outcome<SearchAppsReply>> {
    const request = { storefront, term: topic, limit: topicDepth, for_daily_run: false };
    return { reply: await storeFetch.searchApps(request, call) };
  }

  const [page, completions] = await Promise.all([
    query(readPage),
    mapLimited(prefixesOf(topic, storefront.lang), prefixesAtOnce, (prefix) =>
      query((call) => complete(prefix, call)),
    ),
  ]);
  return { page, completions, refusal };
}

function prefixesOf(topic: string, lang: string): string[] {
  return topicPrefixes(topic, lang).filter(({ length }) => length <= maxPrefixLength);
}

/** A store answers without suggestions when it throttles them, as for a storefront without any. */
function suggestionsThrottled(store: Store): AppError {
  const sentence = `The search suggestions of ${storeInSentence(store)} cannot be read at the moment.`;
  return new AppError('STORE_FETCH_FAILED', sentence);
}
