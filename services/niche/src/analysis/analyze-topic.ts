import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { storeInSentence } from '@shelfwise/facts/stores/store';
import { withTimeLimit } from '@shelfwise/runtime/concurrency/deadline';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { chooseCandidates } from '../domain/candidates.ts';
import type { AnalysisResult, Niche } from '../stores/analysis-store.ts';
import type { Progress } from '../stores/progress-store.ts';
import { clusterScoredTerms } from './cluster-scored-terms.ts';
import { fetchTopicResults, toTopicApp } from './fetch-topic-results.ts';
import type { StoreFetchClient } from './query-store.ts';
import { type ScoredCandidates, scoreCandidates, type TermScorer } from './score-candidates.ts';

/** Bounds the time of clustering and the size of the result. The best candidates come first, the others are dropped. */
const maxCandidates = 2000;

/**
 * Analyzes a niche.
 * @param call `readMs`: time for finding and scoring candidates, in ms; `signal`: aborts the analysis; `onProgress` is called in
 *   each new phase, and every five seconds within one
 * @throws ANALYSIS_FAILED when the store, store-fetch or scoring gives too little for an analysis
 */
export type AnalyzeTopic = (
  niche: Niche,
  call: Pick<CallContext, 'requestId' | 'callerId' | 'signal' | 'log'> & {
    readMs: number;
    onProgress(progress: Progress): void;
  },
) => Promise<AnalysisResult>;

/** Deeper on the topic's page, titles say more about other topics. */
const titleApps = 20;
/** The share of the analysis time for finding candidates; the rest is for scoring them. */
const fetchShare = 1 / 3;
const logEveryMs = 5000;

/**
 * Creates the function that runs one analysis: it finds candidates in suggestions and titles, scores them and clusters
 * them. What the time does not allow is left out and counted. It fails if the store refused more candidates than could
 * be scored, or if none could be scored.
 */
export function createAnalyzeTopic(deps: {
  storeFetch: StoreFetchClient;
  scoring: TermScorer;
  sourceGuard: SourceGuard;
  now: () => Date;
  sleep: Sleep;
}): AnalyzeTopic {
  const { storeFetch, scoring, sourceGuard, now, sleep } = deps;
  const error = new AppError('STORE_FETCH_FAILED', 'The analysis timed out.');

  const analyze: AnalyzeTopic = async (niche, { requestId, callerId, readMs, signal, log, onProgress }) => {
    const { storefront, topic } = niche;
    const progress = createProgressLog({ log, now, onProgress });
    const endsAt = now().getTime() + readMs;

    return withTimeLimit({ ms: readMs, error, sleep, signal }, async (limited) => {
      const topicResults = await fetchTopicResults({ storeFetch, sourceGuard, sleep }, niche, {
        requestId,
        callerId,
        signal,
        fetchMs: readMs * fetchShare,
      });
      const { suggestions, apps, unanswered, source } = topicResults;
      const titles = (apps ?? []).slice(0, titleApps).map(({ title }) => title);
      const foundTexts = { topic, suggestions, titles };
      const { chosen, dropped } = chooseCandidates(foundTexts, storefront.lang, maxCandidates);
      const candidates = chosen.length + dropped;
      progress.enter('candidates', { candidates, dropped, unanswered });

      const scores = await scoreCandidates(scoring, niche, chosen, {
        requestId,
        callerId,
        signal,
        limited,
        now,
        msLeft: () => endsAt - now().getTime(),
        onRead: (counts) => progress.step('reading', { candidates, ...counts }),
      });
      const { scored } = scores;
      const leftOut = candidates - scored.size;
      if (scores.refused > scored.size || scored.size === 0) throw tooFewScored(niche, scores);
      // Without the topic's page, its first ten apps are those for which scoring has read it.
      const results = apps ?? scored.get(topic)?.top.map(toTopicApp);
      if (!results) throw noTopicPage(niche);
      const sources = new Set([...scored.values()].map((term) => term.source));
      for (const source of sources) await sourceGuard.admit(source);

      const refused = topicResults.refused + scores.refused;
      const { waiting } = scores;
      progress.enter('clusters', { candidates, read: scored.size, left_out: leftOut, refused, waiting });
      const clustered = clusterScoredTerms(niche, { suggestions, results }, scored, { leftOut, now: now() });
      return {
        ...clustered,
        candidates,
        left_out: leftOut,
        unanswered,
        refused,
        waiting,
        is_topic_page_unread: apps === null,
        source,
      };
    });
  };

  return async (niche, call) => {
    try {
      return await analyze(niche, call);
    } catch (error) {
      call.signal.throwIfAborted();
      throw isUpstreamFailure(error) ? couldNotComplete(niche, error) : error;
    }
  };
}

function tooFewScored(niche: Niche, { refused, scored, waiting, refusal }: ScoredCandidates): AppError {
  const store = storeInSentence(niche.storefront.store);
  const unread =
    waiting > 0
      ? `${store} shows no suggestions for its search terms, which needs a second look in ten minutes.`
      : `no search term could be read from ${store} in time.`;
  const reason =
    refused === 0
      ? unread
      : `${refused} of ${refused + scored.size} search terms could not be read from ${store}.`;
  const advice = 'The scores read so far are stored: a retry takes less time.';
  return new AppError(
    'ANALYSIS_FAILED',
    [`The analysis of "${niche.topic}" could not complete: ${reason}`, refusal?.message, advice]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    { cause: refusal },
  );
}

/** No term can be compared with a topic whose apps are unknown. */
function noTopicPage({ storefront, topic }: Niche): AppError {
  const store = storeInSentence(storefront.store);
  return new AppError(
    'ANALYSIS_FAILED',
    `The analysis of "${topic}" could not complete: the apps that ${store} shows for it could not be read. Try again in a few minutes.`,
  );
}

function couldNotComplete({ topic }: Niche, cause: AppError): AppError {
  return new AppError('ANALYSIS_FAILED', `The analysis of "${topic}" could not complete. ${cause.message}`, {
    cause,
  });
}

/** Notes the progress of an analysis: each new phase, and every five seconds within one. */
function createProgressLog({
  log,
  now,
  onProgress,
}: {
  log: Logger;
  now: () => Date;
  onProgress(progress: Progress): void;
}) {
  const startedAt = now().getTime();
  let loggedAt = startedAt;

  function write(phase: string, counts: Readonly<Record<string, number>>): void {
    loggedAt = now().getTime();
    log.info({ phase, ...counts, seconds: Math.round((loggedAt - startedAt) / 1000) }, 'niche analysis');
    onProgress({ phase, candidates: counts.candidates ?? null, read: counts.read ?? null });
  }
  return {
    enter: write,
    step(phase: string, counts: Readonly<Record<string, number>>): void {
      if (now().getTime() - loggedAt >= logEveryMs) write(phase, counts);
    },
  };
}
