import type { ScoredTerm, ScoringServiceService, TermOutcome } from '@shelfwise/proto/scoring/v1/scoring';
import { createFailureStreak } from '@shelfwise/runtime/concurrency/failure-streak';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { createAdaptiveConcurrency } from '@shelfwise/runtime/jobs/adaptive-concurrency';
import type { Niche } from '../stores/analysis-store.ts';
import { isComplete } from './is-complete.ts';

export type TermScorer = Pick<GrpcClient<typeof ScoringServiceService>, 'scoreTerms'>;

export type ReadOptions = {
  requestId: string;
  /** fires when the analysis is aborted */
  signal: AbortSignal;
  /** also fires when the time of the analysis is up */
  limited: AbortSignal;
  msLeft(): number;
  now(): Date;
  onRead(count: { read: number; left: number }): void;
};

export type ScoredCandidates = {
  /** by normal form; terms that could not be read are absent */
  scored: Map<string, ScoredTerm>;
  /** how many terms the store refused; terms that ran out of time do not count */
  refused: number;
  /** why the last of them was refused */
  refusal: AppError | null;
};

const knownPerCall = 400;
const knownCallsAtOnce = 2;
const knownCallMs = 15_000;

/** Most terms in flight. Fewer while the store is slow, so that other callers are served in between. */
const termsAtOnce = 20;
const callsAtOnce = 4;
const readCallMs = 45_000;
/** With less time left, no read starts, and a failed read counts as out of time. */
const tooLateMs = 3000;

/**
 * Scores candidates: first those that scoring has cached, then the others in order, as many as the time allows. After
 * three refusals in a row it stops, and the remaining terms count as refused.
 * @throws STORE_FETCH_FAILED or SERVICE_UNAVAILABLE when not even the cached scores can be read
 */
export async function scoreCandidates(
  scoring: TermScorer,
  niche: Niche,
  candidates: readonly string[],
  options: ReadOptions,
): Promise<ScoredCandidates> {
  const scored = await lookUpKnown(scoring, niche, candidates, options);
  const rest = candidates.filter((keyword) => !scored.has(keyword));
  options.onRead({ read: scored.size, left: rest.length });
  return readUnknown(scoring, niche, rest, scored, options);
}

async function lookUpKnown(
  scoring: TermScorer,
  niche: Niche,
  candidates: readonly string[],
  { requestId, signal }: ReadOptions,
): Promise<Map<string, ScoredTerm>> {
  const replies = await mapLimited(chunksOf(candidates, knownPerCall), knownCallsAtOnce, async (keywords) => {
    const deadline = new Date(Date.now() + knownCallMs);
    const request = { storefront: niche.storefront, keywords, known_only: true };
    return scoring.scoreTerms(request, { requestId, signal, deadline });
  });
  return new Map(replies.flatMap(({ outcomes }) => completeTerms(outcomes, niche)));
}

async function readUnknown(
  scoring: TermScorer,
  niche: Niche,
  rest: readonly string[],
  scored: Map<string, ScoredTerm>,
  options: ReadOptions,
): Promise<ScoredCandidates> {
  const concurrency = createAdaptiveConcurrency(termsAtOnce);
  const failures = createFailureStreak();
  const inFlight = new Set<Promise<void>>();
  const result: ScoredCandidates = { scored, refused: 0, refusal: null };
  let next = 0;
  let unexpectedError: unknown;

  async function readBatch(keywords: string[]): Promise<void> {
    const attemptNumber = failures.nextAttemptNumber();
    const startedAt = options.now().getTime();
    const { found, refusal } = await readTerms(scoring, niche, keywords, options);
    for (const [keyword, term] of found) scored.set(keyword, term);
    const missing = keywords.length - found.length;
    if (missing === 0) concurrency.onDuration(options.now().getTime() - startedAt);
    else if (!isLate(options)) {
      concurrency.onFailure();
      result.refused += missing;
      result.refusal = refusal;
      if (found.length === 0) failures.add(attemptNumber);
    }
    options.onRead({ read: scored.size, left: rest.length - next });
  }

  while (next < rest.length && !failures.isTripped() && !isLate(options) && unexpectedError === undefined) {
    if (inFlight.size >= Math.min(callsAtOnce, concurrency.current())) {
      await Promise.race(inFlight);
      continue;
    }
    const keywords = rest.slice(next, next + Math.max(1, Math.floor(concurrency.current() / callsAtOnce)));
    next += keywords.length;
    const reading = readBatch(keywords)
      .catch((error: unknown) => {
        unexpectedError ??= error;
      })
      .finally(() => inFlight.delete(reading));
    inFlight.add(reading);
  }
  await Promise.all(inFlight);
  if (unexpectedError !== undefined) throw unexpectedError;
  if (failures.isTripped()) result.refused += rest.length - next;
  return result;
}

/** Returns the terms that could be read, and the reason for the others. */
async function readTerms(
  scoring: TermScorer,
  niche: Niche,
  keywords: string[],
  { requestId, signal, limited, msLeft }: ReadOptions,
): Promise<{ found: [string, ScoredTerm][]; refusal: AppError }> {
  const deadline = new Date(Date.now() + Math.min(readCallMs, msLeft()));
  try {
    const request = { storefront: niche.storefront, keywords, known_only: false };
    const { outcomes } = await scoring.scoreTerms(request, { requestId, signal: limited, deadline });
    return { found: completeTerms(outcomes, niche), refusal: firstRefusal(outcomes) };
  } catch (error) {
    signal.throwIfAborted();
    if (!limited.aborted && !isUpstreamFailure(error)) throw error;
    return { found: [], refusal: isUpstreamFailure(error) ? error : incomplete() };
  }
}

/** Only terms that were read completely. */
function completeTerms(outcomes: readonly TermOutcome[], { storefront }: Niche): [string, ScoredTerm][] {
  return outcomes.flatMap(({ keyword, outcome }) =>
    outcome?.$case === 'scored' && isComplete(outcome.value, storefront) ? [[keyword, outcome.value]] : [],
  );
}

function firstRefusal(outcomes: readonly TermOutcome[]): AppError {
  for (const { outcome } of outcomes)
    if (outcome?.$case === 'failure') return new AppError('STORE_FETCH_FAILED', outcome.value.message);
  return incomplete();
}

function incomplete(): AppError {
  return new AppError('STORE_FETCH_FAILED', 'The store did not return all the data that a score needs.');
}

function isLate({ limited, msLeft }: ReadOptions): boolean {
  return limited.aborted || msLeft() <= tooLateMs;
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
