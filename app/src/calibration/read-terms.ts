import { randomUUID } from 'node:crypto';
import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import type { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { type KnownTerm, termKey } from './parse-known-terms.ts';
import { missingScoreReason, type ScoreName, type TermReading, toTermReading } from './term-reading.ts';

/** `failed` are terms without a score so far that are asked for again. */
export type ReadingProgress = {
  done: number;
  failed: number;
  total: number;
  /** nothing is due: what the command waits for; null while it reads */
  waitsFor: string | null;
};

type ReadTermsDeps = {
  scoring: Pick<GrpcClient<typeof ScoringServiceService>, 'scoreTerms'>;
  /** Ends the work, for example after Ctrl-C. */
  signal: AbortSignal;
  /** Returns early when the signal fires. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** from a clock that never goes back */
  nowMs(): number;
  /** Called after each batch with the terms whose score is known. */
  onFinished(readings: readonly TermReading[]): void;
  onProgress(progress: ReadingProgress): void;
};

/** Why a term has no score, by `termKey`. */
export type Failures = Map<string, string>;

/**
 * At 20 calls a minute the last of six result pages waits for 18 s; a call that waits for more than 25 s fails. A stop
 * loses one batch at most.
 */
const batchSize = 6;
/** Each term takes up to 19 store calls, which wait for the store budget. */
export const batchTimeoutMs = 180_000;
const attempts = 3;
const retryAfterMs = 60_000;
/** The scoring service believes an empty list of suggestions at a second look ten minutes after the first. */
const secondLookAfterMs = 11 * 60_000;
/** After this many batches without an answer in a row, the store or the service is considered down. */
const failuresInARow = 8;

type Waiting = { known: KnownTerm; dueAtMs: number; attempt: number };

/**
 * Asks the scoring service for the scores of the terms, in batches of one storefront. A term without the wanted score is
 * asked for again a little later, three times in all. Returns the reasons of those that still have none.
 * @throws AppError when the service does not answer the first batch, or refuses one
 * @throws AppError when neither the store nor the service answers anything, batch after batch
 */
export async function readTerms(
  terms: readonly KnownTerm[],
  score: ScoreName,
  deps: ReadTermsDeps,
): Promise<Failures> {
  const { signal, pause, nowMs, onFinished, onProgress } = deps;
  const failures: Failures = new Map();
  const waiting = new Set<Waiting>(terms.map((known) => ({ known, dueAtMs: 0, attempt: 1 })));
  let done = 0;
  let emptyBatches = 0;
  let hasAnswered = false;
  const show = (waitsFor: string | null) =>
    onProgress({ done, failed: failures.size, total: terms.length, waitsFor });

  while (waiting.size > 0 && !signal.aborted) {
    show(null);
    const batch = nextBatch(waiting, nowMs());
    if (batch.length === 0) {
      const dueAtMs = Math.min(...[...waiting].map((each) => each.dueAtMs));
      const minutes = Math.ceil((dueAtMs - nowMs()) / 60_000);
      show(`waiting up to ${minutes} min before ${waiting.size} terms are tried again`);
      await pause(dueAtMs - nowMs(), signal);
      continue;
    }
    let outcomes: Map<string, TermReading | string>;
    try {
      outcomes = await askFor(
        batch.map(({ known }) => known),
        deps,
      );
      hasAnswered = true;
    } catch (error) {
      if (signal.aborted) break;
      if (!hasAnswered || !isUpstreamFailure(error)) throw error;
      outcomes = new Map(batch.map(({ known }) => [known.term, error.message]));
    }
    const finished: TermReading[] = [];
    for (const each of batch) {
      const outcome = outcomes.get(each.known.term) ?? 'the scoring service left it out';
      const reason = typeof outcome === 'string' ? outcome : missingScoreReason(outcome, score);
      const key = termKey(each.known);
      if (typeof outcome !== 'string' && reason === null) {
        finished.push(outcome);
        failures.delete(key);
        waiting.delete(each);
        continue;
      }
      failures.set(key, reason ?? '');
      if (each.attempt === attempts) waiting.delete(each);
      const isSecondLookDue = typeof outcome !== 'string' && outcome.is_second_look_due;
      each.dueAtMs = nowMs() + (isSecondLookDue ? secondLookAfterMs : retryAfterMs * each.attempt);
      each.attempt++;
    }
    done += finished.length;
    onFinished(finished);
    const isAnswered = [...outcomes.values()].some((outcome) => typeof outcome !== 'string');
    emptyBatches = isAnswered ? 0 : emptyBatches + 1;
    const [reason] = outcomes.values();
    if (emptyBatches >= failuresInARow && waiting.size > 0)
      throw new AppError(
        'STORE_FETCH_FAILED',
        `Nothing could be read ${failuresInARow} times in a row: ${reason} What was read is kept: run the command again later.`,
      );
    // A store that refuses is paused for up to a minute.
    if (emptyBatches > 0 && waiting.size > 0) await pause(Math.min(60_000, 15_000 * emptyBatches), signal);
  }
  show(null);
  return failures;
}

/** The next terms that are due, all of one storefront; empty if none is due. */
function nextBatch(waiting: ReadonlySet<Waiting>, nowMs: number): Waiting[] {
  const batch: Waiting[] = [];
  let storefront: string | null = null;
  for (const each of waiting) {
    if (each.dueAtMs > nowMs) continue;
    storefront ??= storefrontKey(each.known.storefront);
    if (storefrontKey(each.known.storefront) === storefront) batch.push(each);
    if (batch.length === batchSize) break;
  }
  return batch;
}

/** The reading of each term, or why there is none. */
async function askFor(
  terms: readonly KnownTerm[],
  { scoring, signal }: ReadTermsDeps,
): Promise<Map<string, TermReading | string>> {
  const storefront: Storefront | undefined = terms[0]?.storefront;
  if (storefront === undefined) return new Map();
  const reply = await scoring.scoreTerms(
    { storefront, keywords: terms.map(({ term }) => term), known_only: false },
    { requestId: `calibrate-${randomUUID()}`, deadline: new Date(Date.now() + batchTimeoutMs), signal },
  );
  return new Map(
    reply.outcomes.map(({ keyword, outcome }) => [
      keyword,
      outcome?.$case === 'scored'
        ? toTermReading(storefront, keyword, outcome.value)
        : (outcome?.value.message ?? 'the scoring service left it out'),
    ]),
  );
}
