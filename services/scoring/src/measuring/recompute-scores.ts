import { retryUntilDone } from '@shelfwise/runtime/jobs/retry-until-done';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import { scoringVersion } from '../domain/scoring-version.ts';
import type { MeasuredTermStore } from '../stores/measured-term-store.ts';
import type { Term } from '../stores/term.ts';
import type { TermDocument } from '../stores/term-store.ts';
import { type SaveScoresDeps, saveScores } from './save-scores.ts';

const termsAtOnce = 50;
const requestId = 'recompute-scores';

type Deps = SaveScoresDeps & {
  measuredTerms: Pick<MeasuredTermStore, 'listOutdatedScores' | 'schedule'>;
  onMeasured: (term: Term) => Promise<void>;
  logger: Logger;
  sleep: Sleep;
};

/**
 * Computes the scores of an older version again from the stored readings, without a store call: each once, going on where
 * a stop or a crash ended it. Ends when all are done or the signal fires; while the database is away it retries. Several
 * copies at once do the same work, and no harm.
 */
export function recomputeScores(deps: Deps, signal: AbortSignal): Promise<void> {
  return retryUntilDone(() => recomputeAll(deps, signal), {
    signal,
    sleep: deps.sleep,
    onFailure: (error) =>
      deps.logger.warn({ err: error }, 'scores of an earlier version could not be made again; trying again'),
  });
}

async function recomputeAll(deps: Deps, signal: AbortSignal): Promise<void> {
  let recomputed = 0;
  for (;;) {
    if (signal.aborted) return;
    const batch = await deps.measuredTerms.listOutdatedScores(scoringVersion, termsAtOnce);
    if (batch.length === 0) break;
    for (const term of batch) if (!signal.aborted) await recompute(deps, term);
    recomputed += batch.length;
  }
  if (recomputed > 0) deps.logger.info({ terms: recomputed }, 'made scores of an earlier version again');
}

/** The term comes due when it would have. The claim of a term that is claimed plans it. */
async function recompute(deps: Deps, stored: TermDocument): Promise<void> {
  const { store, country, lang, keyword, reading } = stored;
  const found = { storefront: { store, country, lang }, keyword, stored };
  const term = await saveScores(deps, found, { reading, ranking: null }, requestId);
  await deps.onMeasured(term);
  if (!stored.claimed_by)
    await deps.measuredTerms.schedule(stored, { dueAt: stored.due_at ?? null, failures: stored.failures });
}
