import { retryUntilDone } from '@shelfwise/runtime/jobs/retry-until-done';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import { scoringVersion } from '../domain/scoring-version.ts';
import { createMeasuredTermStore } from '../stores/measured-term-store.ts';
import type { StoredTerm } from '../stores/stored-term.ts';
import type { KeptTerm, TermStore } from '../stores/term-store.ts';
import { createTermKeeper } from './term-keeper.ts';

const termsAtOnce = 50;
const requestId = 'score-renewer';

export type ScoreRenewer = ReturnType<typeof createScoreRenewer>;

/**
 * Makes the scores of an older version again, from what was read, without a call: once each, from where a stop or a crash
 * ended it. Several copies at once do the same work, and no harm.
 */
export function createScoreRenewer(deps: {
  terms: TermStore;
  onMeasured: (term: StoredTerm) => Promise<void>;
  logger: Logger;
  now: () => Date;
  sleep: Sleep;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { terms, onMeasured, logger, sleep } = deps;
  const measuredTerms = createMeasuredTermStore(terms);
  const keeper = createTermKeeper({ ...deps, measuredTerms });

  /** It comes due when it would have. Whoever has claimed it plans it himself. */
  async function renew(kept: KeptTerm): Promise<void> {
    const { store, country, lang, keyword, reading } = kept;
    const found = { storefront: { store, country, lang }, keyword, kept };
    const term = await keeper.keep(found, { reading, ranking: null }, requestId);
    await onMeasured(term);
    if (!kept.claimed_by)
      await measuredTerms.plan(kept, { dueAt: kept.due_at ?? null, failures: kept.failures });
  }

  async function renewAll(signal: AbortSignal): Promise<void> {
    let renewed = 0;
    for (;;) {
      if (signal.aborted) return;
      const some = await measuredTerms.listOutdated(scoringVersion, termsAtOnce);
      if (some.length === 0) break;
      for (const term of some) if (!signal.aborted) await renew(term);
      renewed += some.length;
    }
    if (renewed > 0) logger.info({ terms: renewed }, 'made scores of an earlier version again');
  }

  return {
    /** Ends when all are made again or the signal fires; a database that is away is tried again. */
    run: (signal: AbortSignal): Promise<void> =>
      retryUntilDone(() => renewAll(signal), {
        signal,
        sleep,
        onFailure: (error) =>
          logger.warn({ err: error }, 'scores of an earlier version could not be made again; trying again'),
      }),
  };
}
