import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { storeInSentence } from '@shelfwise/facts/store';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import { chooseCandidates } from '../domain/candidates.ts';
import type { Niche, NicheFinding } from '../stores/analysis-store.ts';
import type { SuggestingStore } from './ask-around.ts';
import { gatherCandidates } from './gather-candidates.ts';
import { createProgress } from './progress.ts';
import { type ScoredCandidates, scoreCandidates, type TermScorer } from './score-candidates.ts';
import { toFinding } from './to-finding.ts';
import { withinTime } from './within-time.ts';

/** An analysis looks at so many terms at most: beyond them nothing is found that the first ones do not show. */
const maxCandidates = 2000;

export type AnalyzeTopic = (
  niche: Niche,
  call: { requestId: string; readMs: number; signal: AbortSignal; log: Logger },
) => Promise<NicheFinding>;

/** Of the time of an analysis: the rest of it is for reading what was found. */
const gatherShare = 1 / 3;

/**
 * One analysis, of `readMs` of reading at most: what the store suggests around a topic and the phrases of its results'
 * titles, scored, and sorted into clusters. What the time does not allow is left out and counted.
 */
export function createAnalyzeTopic(deps: {
  storeFetch: SuggestingStore;
  scoring: TermScorer;
  sourceGuard: SourceGuard;
  now: () => Date;
  sleep: Sleep;
}): AnalyzeTopic {
  const { scoring, sourceGuard, now, sleep } = deps;
  const late = new AppError('STORE_FETCH_FAILED', 'The time of an analysis is over.');

  const analyze: AnalyzeTopic = async (niche, { requestId, readMs, signal, log }) => {
    const { storefront, topic } = niche;
    const progress = createProgress(log, now);
    const endsAt = now().getTime() + readMs;

    return withinTime({ ms: readMs, late, sleep, signal }, async (timed) => {
      const gathered = await gatherCandidates(deps, niche, {
        requestId,
        signal,
        gatherMs: readMs * gatherShare,
      });
      const { suggestions, apps, unanswered, source } = gathered;
      const found = { topic, suggestions, titles: apps.map(({ title }) => title) };
      const { chosen, dropped } = chooseCandidates(found, storefront.lang, maxCandidates);
      const candidates = chosen.length + dropped;
      progress.enter('candidates', { candidates, dropped, unanswered });

      const scores = await scoreCandidates(scoring, niche, chosen, {
        requestId,
        signal,
        timed,
        now,
        msLeft: () => endsAt - now().getTime(),
        onRead: (counts) => progress.step('reading', { candidates, ...counts }),
      });
      const { scored } = scores;
      const leftOut = candidates - scored.size;
      if (scores.refused > scored.size || scored.size === 0) throw tooLittleRead(niche, scores);
      const sources = new Set([...scored.values()].map((term) => term.source));
      for (const source of sources) await sourceGuard.admit(source);

      const refused = gathered.refused + scores.refused;
      progress.enter('clusters', { candidates, read: scored.size, left_out: leftOut, refused });
      const shown = toFinding(niche, gathered, scored, now());
      return { ...shown, candidates, left_out: leftOut, unanswered, refused, source };
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

function tooLittleRead(niche: Niche, { refused, scored, refusal }: ScoredCandidates): AppError {
  const store = storeInSentence(niche.storefront.store);
  const share =
    refused === 0
      ? `no search term could be read from ${store} in time.`
      : `${refused} of ${refused + scored.size} search terms could not be read from ${store}.`;
  const again = 'What was read is kept: another try is quicker.';
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
