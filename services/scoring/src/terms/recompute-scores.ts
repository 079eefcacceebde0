import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { retryUntilDone } from '@shelfwise/runtime/jobs/retry-until-done';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { scoringVersion } from '../domain/scoring-version.ts';
import type { MeasuredTermStore } from '../stores/measured-term-store.ts';
import type { Term } from '../stores/term.ts';
import type { TermDocument } from '../stores/term-schema.ts';
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
 * Recomputes the scores of an older version from the stored readings, without a store call. Each term is recomputed
 * once; after a stop or a crash the work continues where it ended. Returns when all are done or the signal fires.
 * Retries while the database is down. Several copies may do the same work at the same time without harm.
 */
export function recomputeScores(deps: Deps, signal: AbortSignal): Promise<void> {
  return retryUntilDone(() => recomputeAll(deps, signal), {
    signal,
    sleep: deps.sleep,
    onFailure: (error) =>
      deps.logger.warn({ err: error }, 'recomputing scores of an earlier version failed; retrying'),
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
  if (recomputed > 0) deps.logger.info({ terms: recomputed }, 'recomputed scores of an earlier version');
}

/** Does not change when the term is due. A claimed term is scheduled by the claim holder. */
async function recompute(deps: Deps, stored: TermDocument): Promise<void> {
  const { store, country, lang, keyword, reading } = stored;
  const found = { storefront: { store, country, lang }, keyword, stored };
  const term = await saveScores(deps, found, { reading, ranking: null }, requestId);
  await deps.onMeasured(term);
  if (!stored.claimed_by)
    await deps.measuredTerms.schedule(stored, { dueAt: stored.due_at ?? null, failures: stored.failures });
}
