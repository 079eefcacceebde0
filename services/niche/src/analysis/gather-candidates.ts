import { storeNames } from '@shelfwise/facts/store';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { AppError } from '@shelfwise/runtime/errors';
import { createFailureRow } from '@shelfwise/runtime/failure-row';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc-types';
import type { Sleep } from '@shelfwise/runtime/lanes/sleep';
import { mapLimited } from '@shelfwise/runtime/map-limited';
import type { SourceGuard } from '@shelfwise/runtime/source-guard';
import { topicPrefixes } from '../domain/topic-prefixes.ts';
import type { Niche } from '../stores/analysis-store.ts';
import { isRefusal } from './refusal.ts';
import { withinTime } from './within-time.ts';

export type SuggestingStore = Pick<
  GrpcClient<typeof StoreFetchServiceService>,
  'suggestTerms' | 'searchApps'
>;

/** What a store shows around a topic. */
export type Gathered = {
  /** of each prefix that was answered, in the order of the prefixes */
  suggestions: string[][];
  /** of the topic's result page, in the store's order */
  titles: string[];
  /** prefixes that the store did not complete */
  unanswered: number;
  source: string;
};

/** A third of an analysis: the rest of it is for reading what was found. */
const gatherMs = 60_000;
/** The wait for a turn (25 s at most) and the store's answer. */
const callMs = 35_000;
const prefixesAtOnce = 4;
const topApps = 50;
/** What store-fetch takes, in UTF-16 units: a topic of 100 signs may have 200. */
const maxPrefixLength = 200;

/**
 * Asks the store what it completes the topic to, and what its result page shows. What it does not answer is left out.
 * @throws ANALYSIS_FAILED when it gives neither suggestions nor the page, or STORE_FETCH_FAILED when it is of another
 *   kind than those of this database
 */
export async function gatherCandidates(
  deps: { storeFetch: SuggestingStore; sourceGuard: SourceGuard; sleep: Sleep },
  niche: Niche,
  { requestId, signal }: { requestId: string; signal: AbortSignal },
): Promise<Gathered> {
  const late = new AppError('STORE_FETCH_FAILED', 'The store did not answer in time.');
  const { sleep } = deps;
  const asked = await withinTime({ ms: gatherMs, late, sleep, signal }, (timed) =>
    askStore(deps.storeFetch, niche, { requestId, signal: timed }),
  );
  signal.throwIfAborted();
  const { page, completions, refusal } = asked;
  const answered = completions.filter((completion) => completion?.suggestions != null);
  if (!page && answered.length === 0) throw nothingRead(niche, refusal);
  const sources = [page, ...completions].flatMap((reply) => reply?.reading?.source ?? []);
  for (const source of new Set(sources)) await deps.sourceGuard.admit(source);
  return {
    suggestions: answered.map((completion) => completion?.suggestions?.terms ?? []),
    titles: page?.apps.map(({ title }) => title) ?? [],
    unanswered: completions.length - answered.length,
    source: sources[0] ?? '',
  };
}

/** Every reply that could be had; null in place of one that could not. After three refusals in a row no more is asked. */
async function askStore(
  storeFetch: SuggestingStore,
  { storefront, topic }: Niche,
  { requestId, signal }: { requestId: string; signal: AbortSignal },
) {
  const failures = createFailureRow();
  let refusal: AppError | null = null;
  async function orNull<Reply>(ask: (call: CallOptions) => Promise<Reply>): Promise<Reply | null> {
    if (failures.isLong() || signal.aborted) return null;
    const turn = failures.nextTurn();
    try {
      return await ask({ requestId, signal, deadline: new Date(Date.now() + callMs) });
    } catch (error) {
      if (signal.aborted) return null;
      if (!isRefusal(error)) throw error;
      refusal = error;
      failures.add(turn);
      return null;
    }
  }

  const prefixes = topicPrefixes(topic, storefront.lang).filter(({ length }) => length <= maxPrefixLength);
  const [page, completions] = await Promise.all([
    orNull((call) =>
      storeFetch.searchApps({ storefront, term: topic, limit: topApps, for_daily_run: false }, call),
    ),
    mapLimited(prefixes, prefixesAtOnce, (prefix) =>
      orNull((call) => storeFetch.suggestTerms({ storefront, prefix, for_daily_run: false }, call)),
    ),
  ]);
  return { page, completions, refusal: refusal as AppError | null };
}

function nothingRead({ storefront, topic }: Niche, refusal: AppError | null): AppError {
  const store = storeNames[storefront.store];
  const why = refusal?.message ?? 'It did not answer in time.';
  return new AppError(
    'ANALYSIS_FAILED',
    `Neither suggestions nor results for "${topic}" could be read from the ${store}. ${why}`,
    { cause: refusal },
  );
}
