import type { ScoredTerm, ScoringServiceService, TermOutcome } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import { createFailureStreak } from '@shelfwise/runtime/failure-streak';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import { createAdaptiveConcurrency } from '@shelfwise/runtime/jobs/adaptive-concurrency';
import { mapLimited } from '@shelfwise/runtime/map-limited';
import type { Niche } from '../stores/analysis-store.ts';
import { isWhole } from './is-whole.ts';

export type TermScorer = Pick<GrpcClient<typeof ScoringServiceService>, 'scoreTerms'>;

/** In whose name and how long candidates are read. */
export type ReadingTime = {
  requestId: string;
  /** fires when the analysis is given up */
  signal: AbortSignal;
  /** fires when its time is over, too */
  timed: AbortSignal;
  msLeft(): number;
  now(): Date;
  onRead(count: { read: number; left: number }): void;
};

export type ScoredCandidates = {
  /** by normal form; what could not be read is not in it */
  scored: Map<string, ScoredTerm>;
  /** how many could not be read because the store, not the time, kept them from it */
  refused: number;
  /** why the last of them was not */
  refusal: AppError | null;
};

const knownPerCall = 400;
const knownCallsAtOnce = 2;
const knownCallMs = 15_000;

/** Terms under way at the same time: few while the store is slow, so that others get their turn in between. */
const termsAtOnce = 20;
const callsAtOnce = 4;
const readCallMs = 45_000;
/** With less than this left nothing is begun, and what fails has failed for want of time. */
const tooLateMs = 3000;

/**
 * Scores of candidates: those that scoring knows, then, in their order, as many others as the time allows. Three
 * refusals in a row end it: what was not tried then counts as refused.
 * @throws STORE_FETCH_FAILED or SERVICE_UNAVAILABLE when not even what is known can be had
 */
export async function scoreCandidates(
  scoring: TermScorer,
  niche: Niche,
  candidates: readonly string[],
  time: ReadingTime,
): Promise<ScoredCandidates> {
  const scored = await lookUpKnown(scoring, niche, candidates, time);
  const rest = candidates.filter((keyword) => !scored.has(keyword));
  time.onRead({ read: scored.size, left: rest.length });
  return readRest(scoring, niche, rest, scored, time);
}

async function lookUpKnown(
  scoring: TermScorer,
  niche: Niche,
  candidates: readonly string[],
  { requestId, signal }: ReadingTime,
): Promise<Map<string, ScoredTerm>> {
  const replies = await mapLimited(chunksOf(candidates, knownPerCall), knownCallsAtOnce, async (keywords) => {
    const deadline = new Date(Date.now() + knownCallMs);
    const request = { storefront: niche.storefront, keywords, known_only: true };
    return scoring.scoreTerms(request, { requestId, signal, deadline });
  });
  return new Map(replies.flatMap(({ outcomes }) => wholeTerms(outcomes, niche)));
}

async function readRest(
  scoring: TermScorer,
  niche: Niche,
  rest: readonly string[],
  scored: Map<string, ScoredTerm>,
  time: ReadingTime,
): Promise<ScoredCandidates> {
  const width = createAdaptiveConcurrency(termsAtOnce);
  const failures = createFailureStreak();
  const underWay = new Set<Promise<void>>();
  const result: ScoredCandidates = { scored, refused: 0, refusal: null };
  let next = 0;
  let fault: unknown;

  async function readSome(keywords: string[]): Promise<void> {
    const turn = failures.nextAttemptNumber();
    const begunAt = time.now().getTime();
    const { found, refusal } = await readTerms(scoring, niche, keywords, time);
    for (const [keyword, term] of found) scored.set(keyword, term);
    const missed = keywords.length - found.length;
    if (missed === 0) width.onDuration(time.now().getTime() - begunAt);
    else if (!isLate(time)) {
      width.onFailure();
      result.refused += missed;
      result.refusal = refusal;
      if (found.length === 0) failures.add(turn);
    }
    time.onRead({ read: scored.size, left: rest.length - next });
  }

  while (next < rest.length && !failures.isTripped() && !isLate(time) && fault === undefined) {
    if (underWay.size >= Math.min(callsAtOnce, width.current())) {
      await Promise.race(underWay);
      continue;
    }
    const keywords = rest.slice(next, next + Math.max(1, Math.floor(width.current() / callsAtOnce)));
    next += keywords.length;
    const reading = readSome(keywords)
      .catch((error: unknown) => {
        fault ??= error;
      })
      .finally(() => underWay.delete(reading));
    underWay.add(reading);
  }
  await Promise.all(underWay);
  if (fault !== undefined) throw fault;
  if (failures.isTripped()) result.refused += rest.length - next;
  return result;
}

/** What could be read of some terms, and why the others could not. */
async function readTerms(
  scoring: TermScorer,
  niche: Niche,
  keywords: string[],
  { requestId, signal, timed, msLeft }: ReadingTime,
): Promise<{ found: [string, ScoredTerm][]; refusal: AppError }> {
  const deadline = new Date(Date.now() + Math.min(readCallMs, msLeft()));
  try {
    const request = { storefront: niche.storefront, keywords, known_only: false };
    const { outcomes } = await scoring.scoreTerms(request, { requestId, signal: timed, deadline });
    return { found: wholeTerms(outcomes, niche), refusal: firstRefusal(outcomes) };
  } catch (error) {
    signal.throwIfAborted();
    if (!timed.aborted && !isUpstreamFailure(error)) throw error;
    return { found: [], refusal: isUpstreamFailure(error) ? error : notWhole() };
  }
}

/** Those that were read, whole. */
function wholeTerms(outcomes: readonly TermOutcome[], { storefront }: Niche): [string, ScoredTerm][] {
  return outcomes.flatMap(({ keyword, outcome }) =>
    outcome?.$case === 'scored' && isWhole(outcome.value, storefront) ? [[keyword, outcome.value]] : [],
  );
}

function firstRefusal(outcomes: readonly TermOutcome[]): AppError {
  for (const { outcome } of outcomes)
    if (outcome?.$case === 'failure') return new AppError('STORE_FETCH_FAILED', outcome.value.message);
  return notWhole();
}

function notWhole(): AppError {
  return new AppError('STORE_FETCH_FAILED', 'The store did not show all that a score needs.');
}

function isLate({ timed, msLeft }: ReadingTime): boolean {
  return timed.aborted || msLeft() <= tooLateMs;
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
