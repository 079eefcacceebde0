import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { storeInSentence } from '@shelfwise/facts/stores/store';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import { chooseCandidates } from '../domain/candidates.ts';
import type { AnalysisResult, Niche } from '../stores/analysis-store.ts';
import { clusterScoredTerms } from './cluster-scored-terms.ts';
import { fetchTopicResults } from './fetch-topic-results.ts';
import { createProgressLog } from './progress-log.ts';
import type { StoreFetchClient } from './query-store.ts';
import { type ScoredCandidates, scoreCandidates, type TermScorer } from './score-candidates.ts';
import { withTimeLimit } from './time-limits.ts';

/** An analysis scores at most this many candidates; more would add nothing that the first ones do not show. */
const maxCandidates = 2000;

export type AnalyzeTopic = (
  niche: Niche,
  call: { requestId: string; readMs: number; signal: AbortSignal; log: Logger },
) => Promise<AnalysisResult>;

/** The share of the analysis time for finding candidates; the rest is for scoring them. */
const fetchShare = 1 / 3;

/**
 * Runs one analysis within `readMs`: finds candidates in the store's suggestions and in the titles of the topic's
 * results, scores them and clusters them. What the time does not allow is left out and counted.
 */
export function createAnalyzeTopic(deps: {
  storeFetch: StoreFetchClient;
  scoring: TermScorer;
  sourceGuard: SourceGuard;
  now: () => Date;
  sleep: Sleep;
}): AnalyzeTopic {
  const { storeFetch, scoring, sourceGuard, now, sleep } = deps;
  const timeoutError = new AppError('STORE_FETCH_FAILED', 'The analysis timed out.');

  const analyze: AnalyzeTopic = async (niche, { requestId, readMs, signal, log }) => {
    const { storefront, topic } = niche;
    const progress = createProgressLog(log, now);
    const endsAt = now().getTime() + readMs;

    return withTimeLimit({ ms: readMs, timeoutError, sleep, signal }, async (limited) => {
      const topicResults = await fetchTopicResults({ storeFetch, sourceGuard, sleep }, niche, {
        requestId,
        signal,
        fetchMs: readMs * fetchShare,
      });
      const { suggestions, apps, unanswered, source } = topicResults;
      const found = { topic, suggestions, titles: apps.map(({ title }) => title) };
      const { chosen, dropped } = chooseCandidates(found, storefront.lang, maxCandidates);
      const candidates = chosen.length + dropped;
      progress.enter('candidates', { candidates, dropped, unanswered });

      const scores = await scoreCandidates(scoring, niche, chosen, {
        requestId,
        signal,
        limited,
        now,
        msLeft: () => endsAt - now().getTime(),
        onRead: (counts) => progress.step('reading', { candidates, ...counts }),
      });
      const { scored } = scores;
      const leftOut = candidates - scored.size;
      if (scores.refused > scored.size || scored.size === 0) throw tooFewRead(niche, scores);
      const sources = new Set([...scored.values()].map((term) => term.source));
      for (const source of sources) await sourceGuard.admit(source);

      const refused = topicResults.refused + scores.refused;
      progress.enter('clusters', { candidates, read: scored.size, left_out: leftOut, refused });
      const clustered = clusterScoredTerms(niche, topicResults, scored, now());
      return { ...clustered, candidates, left_out: leftOut, unanswered, refused, source };
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

function tooFewRead(niche: Niche, { refused, scored, refusal }: ScoredCandidates): AppError {
  const store = storeInSentence(niche.storefront.store);
  const share =
    refused === 0
      ? `no search term could be read from ${store} in time.`
      : `${refused} of ${refused + scored.size} search terms could not be read from ${store}.`;
  const again = 'The scores read so far are stored: a retry takes less time.';
  return new AppError(
    'ANALYSIS_FAILED',
    [`The analysis of "${niche.topic}" could not complete: ${share}`, refusal?.message, again]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    { cause: refusal },
  );
}

function couldNotComplete({ topic }: Niche, cause: AppError): AppError {
  return new AppError('ANALYSIS_FAILED', `The analysis of "${topic}" could not complete. ${cause.message}`, {
    cause,
  });
}
