import { neverSuggests } from '@shelfwise/facts/never-suggests';
import { type Store, storeInSentence } from '@shelfwise/facts/store';
import type { Reading, SearchAppsReply, StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import { createFailureStreak } from '@shelfwise/runtime/failure-streak';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc-types';
import { mapLimited } from '@shelfwise/runtime/map-limited';
import { topicPrefixes } from '../domain/topic-prefixes.ts';
import type { Niche } from '../stores/analysis-store.ts';

export type SuggestingStore = Pick<
  GrpcClient<typeof StoreFetchServiceService>,
  'suggestTerms' | 'searchApps'
>;

/** `refused`: the store kept it from being read; `unread`: the time did, or nobody can ask that of the store. */
type Asked<Reply> = { reply: Reply } | 'refused' | 'unread';

type Completion = { reading: Reading | null; terms: string[] };

export type AskedAround = {
  page: Asked<SearchAppsReply>;
  /** of the topic, then of the topic with each letter */
  completions: Asked<Completion>[];
  /** why the last of what was refused was */
  refusal: AppError | null;
};

/** The wait for a turn (25 s at most) and the store's answer. */
const callMs = 35_000;
const prefixesAtOnce = 4;
const topApps = 20;
/** What store-fetch takes, in UTF-16 units: a topic of 100 signs may have 200. */
const maxPrefixLength = 200;

/**
 * Asks the store for the topic's result page and what it completes the topic to, until `signal` fires. After three
 * failures in a row, silence among them, no more is asked: the rest counts as refused.
 */
export async function askAround(
  storeFetch: SuggestingStore,
  niche: Niche,
  { requestId, signal }: { requestId: string; signal: AbortSignal },
): Promise<AskedAround> {
  const { storefront, topic } = niche;
  const failures = createFailureStreak();
  let refusal: AppError | null = null;

  async function ask<Reply>(call: (options: CallOptions) => Promise<Asked<Reply>>): Promise<Asked<Reply>> {
    if (signal.aborted) return 'unread';
    if (failures.isTripped()) return 'refused';
    const turn = failures.nextAttemptNumber();
    try {
      return await call({ requestId, signal, deadline: new Date(Date.now() + callMs) });
    } catch (error) {
      if (signal.aborted) return 'unread';
      if (!isUpstreamFailure(error)) throw error;
      refusal = error;
      failures.add(turn);
      return 'refused';
    }
  }

  async function complete(prefix: string, call: CallOptions): Promise<Asked<Completion>> {
    const request = { storefront, prefix, for_daily_run: false };
    const { reading, suggestions } = await storeFetch.suggestTerms(request, call);
    if (suggestions) return { reply: { reading, terms: suggestions.terms } };
    if (neverSuggests(storefront)) return 'unread';
    throw silent(storefront.store);
  }

  async function readPage(call: CallOptions): Promise<Asked<SearchAppsReply>> {
    const request = { storefront, term: topic, limit: topApps, for_daily_run: false };
    return { reply: await storeFetch.searchApps(request, call) };
  }

  const [page, completions] = await Promise.all([
    ask(readPage),
    mapLimited(prefixesOf(topic, storefront.lang), prefixesAtOnce, (prefix) =>
      ask((call) => complete(prefix, call)),
    ),
  ]);
  return { page, completions, refusal };
}

function prefixesOf(topic: string, lang: string): string[] {
  return topicPrefixes(topic, lang).filter(({ length }) => length <= maxPrefixLength);
}

/** A store that throttles its suggestions answers as if it had none. */
function silent(store: Store): AppError {
  const sentence = `The search suggestions of ${storeInSentence(store)} cannot be read at the moment.`;
  return new AppError('STORE_FETCH_FAILED', sentence);
}
