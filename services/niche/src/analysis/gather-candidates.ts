import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { storeInSentence } from '@shelfwise/facts/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Niche } from '../stores/analysis-store.ts';
import { type AskedAround, askAround, type SuggestingStore } from './ask-around.ts';
import { withinTime } from './within-time.ts';

/** What a store shows around a topic. */
export type Gathered = {
  /** of each prefix that was answered, in the order of the prefixes */
  suggestions: string[][];
  /** the first of the topic's result page, in the store's order */
  apps: { app_id: string; title: string }[];
  /** what was asked and not answered: prefixes to complete, and the result page */
  unanswered: number;
  /** how many of those the store, not the time, kept from being read */
  refused: number;
  source: string;
};

/**
 * Asks the store what it completes the topic to, and what its result page shows. What is not answered within
 * `gatherMs` is left out and counted.
 * @throws ANALYSIS_FAILED when it gives neither suggestions nor the page, or refuses to complete the topic itself or more
 *   than half of the prefixes; STORE_FETCH_FAILED when it is of another kind than those of this database
 */
export async function gatherCandidates(
  deps: { storeFetch: SuggestingStore; sourceGuard: SourceGuard; sleep: Sleep },
  niche: Niche,
  { requestId, gatherMs, signal }: { requestId: string; gatherMs: number; signal: AbortSignal },
): Promise<Gathered> {
  const late = new AppError('STORE_FETCH_FAILED', 'The store did not answer in time.');
  const { sleep } = deps;
  const asked = await withinTime({ ms: gatherMs, late, sleep, signal }, (timed) =>
    askAround(deps.storeFetch, niche, { requestId, signal: timed }),
  );
  signal.throwIfAborted();
  const page = typeof asked.page === 'string' ? null : asked.page.reply;
  const completions = asked.completions.flatMap((one) => (typeof one === 'string' ? [] : one.reply));
  if (!page && completions.length === 0) throw nothingRead(niche, asked);
  if (isTooLittle(asked)) throw tooLittleTold(niche, asked);
  const sources = [page, ...completions].flatMap((reply) => reply?.reading?.source ?? []);
  for (const source of new Set(sources)) await deps.sourceGuard.admit(source);
  return {
    suggestions: completions.map(({ terms }) => terms),
    apps: page?.apps ?? [],
    unanswered: asked.completions.length - completions.length + (page ? 0 : 1),
    refused: refusedOf([asked.page, ...asked.completions]),
    source: sources[0] ?? '',
  };
}

/** Beside what most prefixes show, or the topic, all else is chance. */
function isTooLittle({ completions }: AskedAround): boolean {
  return completions[0] === 'refused' || refusedOf(completions) > completions.length / 2;
}

function refusedOf(asked: readonly unknown[]): number {
  return asked.filter((one) => one === 'refused').length;
}

function nothingRead({ storefront, topic }: Niche, { refusal }: AskedAround): AppError {
  const why = refusal?.message ?? 'It did not answer in time.';
  const what = `Neither suggestions nor results for "${topic}" could be read from`;
  return new AppError('ANALYSIS_FAILED', `${what} ${storeInSentence(storefront.store)}. ${why}`, {
    cause: refusal,
  });
}

function tooLittleTold({ storefront, topic }: Niche, { completions, refusal }: AskedAround): AppError {
  const share = `${refusedOf(completions)} of ${completions.length} completions of the topic`;
  return new AppError(
    'ANALYSIS_FAILED',
    `The analysis of "${topic}" could not complete: ${share} could not be read from ${storeInSentence(storefront.store)}. ${refusal?.message ?? ''}`,
    { cause: refusal },
  );
}
