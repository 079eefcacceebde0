import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { storeInSentence } from '@shelfwise/facts/stores/store';
import type { FoundApp } from '@shelfwise/proto/store/v1/store';
import { withTimeLimit } from '@shelfwise/runtime/concurrency/deadline';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { Niche } from '../stores/analysis-store.ts';
import { queryStore, type StoreFetchClient, type StoreReplies } from './query-store.ts';

type Deps = { storeFetch: StoreFetchClient; sourceGuard: SourceGuard; sleep: Sleep };

/** What a store shows for a topic. */
export type TopicResults = {
  /** one list per prefix that the store answered, in the order of `topicPrefixes` */
  suggestions: string[][];
  /** the first 50 apps of the topic's result page, in the store's order; null: the page was not read */
  apps: { app_id: string; title: string }[] | null;
  /** how many queries (one per prefix, and the result page) got no answer */
  unanswered: number;
  /** how many of these the store refused; for the others the time ran out, or the storefront has no suggestions */
  refused: number;
  /** sample, app-store or google-play */
  source: string;
};

/**
 * Fetches the store's completions of the topic and its result page. What is not answered within `fetchMs` is left out
 * and counted.
 * @throws ANALYSIS_FAILED when nothing could be read, or when the store refused to complete the topic itself or more
 *   than half of the prefixes
 * @throws STORE_FETCH_FAILED when the source of the answers (sample or live) is not that of this database
 * @throws the reason of `signal` when it fires
 */
export async function fetchTopicResults(
  { storeFetch, sourceGuard, sleep }: Deps,
  niche: Niche,
  {
    requestId,
    callerId,
    fetchMs,
    signal,
  }: Pick<CallContext, 'requestId' | 'callerId' | 'signal'> & { fetchMs: number },
): Promise<TopicResults> {
  const error = new AppError('STORE_FETCH_FAILED', 'The store did not answer in time.');
  const replies = await withTimeLimit({ ms: fetchMs, error, sleep, signal }, (limited) =>
    queryStore(storeFetch, niche, { requestId, callerId, signal: limited }),
  );
  signal.throwIfAborted();
  const page = typeof replies.page === 'string' ? null : replies.page.reply;
  const completions = replies.completions.flatMap((outcome) =>
    typeof outcome === 'string' ? [] : outcome.reply,
  );
  if (!page && completions.length === 0) throw nothingRead(niche, replies);
  if (hasTooFewCompletions(replies)) throw tooFewCompletions(niche, replies);
  const sources = [page, ...completions].flatMap((reply) => reply?.reading?.source ?? []);
  for (const source of new Set(sources)) await sourceGuard.admit(source);
  return {
    suggestions: completions.map(({ terms }) => terms),
    apps: page?.apps.map(toTopicApp) ?? null,
    unanswered: replies.completions.length - completions.length + (page ? 0 : 1),
    refused: countRefused([replies.page, ...replies.completions]),
    source: sources[0] ?? '',
  };
}

/** Only the words of a title are used, and an unknown one has none. */
export function toTopicApp({ app_id: appId, title }: Pick<FoundApp, 'app_id' | 'title'>): {
  app_id: string;
  title: string;
} {
  return { app_id: appId, title: title ?? '' };
}

/** Without these the candidates would be arbitrary. */
function hasTooFewCompletions({ completions }: StoreReplies): boolean {
  return completions[0] === 'refused' || countRefused(completions) > completions.length / 2;
}

function countRefused(outcomes: readonly unknown[]): number {
  return outcomes.filter((outcome) => outcome === 'refused').length;
}

function nothingRead({ storefront, topic }: Niche, { refusal }: StoreReplies): AppError {
  const reason = refusal?.message ?? 'It did not answer in time.';
  const problem = `Neither suggestions nor results for "${topic}" could be read from`;
  return new AppError('ANALYSIS_FAILED', `${problem} ${storeInSentence(storefront.store)}. ${reason}`, {
    cause: refusal,
  });
}

function tooFewCompletions({ storefront, topic }: Niche, { completions, refusal }: StoreReplies): AppError {
  const share = `${countRefused(completions)} of ${completions.length} completions of the topic`;
  return new AppError(
    'ANALYSIS_FAILED',
    `The analysis of "${topic}" could not complete: ${share} could not be read from ${storeInSentence(storefront.store)}. ${refusal?.message ?? ''}`,
    { cause: refusal },
  );
}
