import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ScoredTerm, ScoringServiceService, TermOutcome } from '@shelfwise/proto/scoring/v1/scoring';
import { createFailureStreak } from '@shelfwise/runtime/concurrency/failure-streak';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { createAdaptiveConcurrency } from '@shelfwise/runtime/jobs/adaptive-concurrency';
import type { Niche } from '../stores/analysis-store.ts';

export type TermScorer = Pick<GrpcClient<typeof ScoringServiceService>, 'scoreTerms'>;

export type ReadOptions = {
  requestId: string;
  callerId?: string | undefined;
  /** fires when the analysis is aborted */
  signal: AbortSignal;
  /** fires with `signal`, and when the time of the analysis is up */
  limited: AbortSignal;
  /** Milliseconds until the time of the analysis is up; may be negative. */
  msLeft(): number;
  now(): Date;
  /** Called after the lookup and after each call: candidates scored so far, and candidates still to request. */
  onRead(count: { read: number; left: number }): void;
};

export type ScoredCandidates = {
  /** by normal form; terms that were not read completely (`isComplete`) are absent */
  scored: Map<string, ScoredTerm>;
  /** how many terms could not be read for other reasons than lack of time */
  refused: number;
  /** how many terms wait for a second look at an empty list of suggestions */
  waiting: number;
  /** why the last of them was refused; null: none was */
  refusal: AppError | null;
};

/** For the lookup of scores that scoring has stored. */
const knownPerCall = 400;
const knownCallsAtOnce = 2;
const knownCallMs = 15_000;

/** Terms in flight, over all calls. Fewer while the store is slow, so that others are served too. */
const termsAtOnce = 20;
/** Calls in flight; each reads an equal share of the terms. */
const callsAtOnce = 4;
const readCallMs = 45_000;
/** With no more time left than this, no call starts, and unread terms count as out of time. */
const tooLateMs = 3000;

/**
 * Scores candidates: looks up those that scoring has stored, then lets it read the others in order, as many as the time
 * allows. After three calls in a row that read no term it stops, and the remaining terms count as refused.
 * @throws STORE_FETCH_FAILED or SERVICE_UNAVAILABLE when not even the stored scores can be looked up
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
  { requestId, callerId, signal }: ReadOptions,
): Promise<Map<string, ScoredTerm>> {
  const replies = await mapLimited(chunksOf(candidates, knownPerCall), knownCallsAtOnce, async (keywords) => {
    const deadline = new Date(Date.now() + knownCallMs);
    const request = { storefront: niche.storefront, keywords, known_only: true };
    return scoring.scoreTerms(request, { requestId, callerId, signal, deadline });
  });
  return new Map(replies.flatMap(({ outcomes }) => completeTerms(outcomes, niche)));
}

/** Adds to `scored` what scoring reads of `rest` from the store. */
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
  const result: ScoredCandidates = { scored, refused: 0, waiting: 0, refusal: null };
  let next = 0;
  let unexpectedError: unknown;

  async function readBatch(keywords: string[]): Promise<void> {
    const attemptNumber = failures.nextAttemptNumber();
    const startedAt = options.now().getTime();
    const { complete, waiting, refusal } = await readTerms(scoring, niche, keywords, options);
    for (const [keyword, term] of complete) scored.set(keyword, term);
    result.waiting += waiting;
    const missing = keywords.length - complete.length - waiting;
    if (missing === 0) concurrency.onDuration(options.now().getTime() - startedAt);
    else if (!isLate(options)) {
      concurrency.onFailure();
      result.refused += missing;
      result.refusal = refusal;
      if (complete.length === 0) failures.add(attemptNumber);
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

/**
 * Returns the complete terms, how many wait for a second look, and why others were not read. A term without suggestions
 * waits for ten minutes, as many long phrases do: it is left out, but was not refused.
 */
async function readTerms(
  scoring: TermScorer,
  niche: Niche,
  keywords: string[],
  { requestId, callerId, signal, limited, msLeft }: ReadOptions,
): Promise<{ complete: [string, ScoredTerm][]; waiting: number; refusal: AppError }> {
  const deadline = new Date(Date.now() + Math.min(readCallMs, msLeft()));
  try {
    const request = { storefront: niche.storefront, keywords, known_only: false };
    const { outcomes } = await scoring.scoreTerms(request, {
      requestId,
      callerId,
      signal: limited,
      deadline,
    });
    const waiting = outcomes.filter(isWaiting).length;
    return { complete: completeTerms(outcomes, niche), waiting, refusal: firstRefusal(outcomes) };
  } catch (error) {
    signal.throwIfAborted();
    if (!limited.aborted && !isUpstreamFailure(error)) throw error;
    return { complete: [], waiting: 0, refusal: isUpstreamFailure(error) ? error : incomplete() };
  }
}

function completeTerms(outcomes: readonly TermOutcome[], { storefront }: Niche): [string, ScoredTerm][] {
  return outcomes.flatMap(({ keyword, outcome }) =>
    outcome?.$case === 'scored' && isComplete(outcome.value, storefront) ? [[keyword, outcome.value]] : [],
  );
}

/**
 * Whether all that a term's scores depend on was read: the result page, the details of its apps and the suggestions.
 * Without suggestions the scores would change an hour later; only a storefront that has none needs none.
 */
function isComplete(term: ScoredTerm, storefront: Storefront): boolean {
  if (term.suggestions_read_at === null && !hasNoAutocomplete(storefront)) return false;
  const { search_status: searchStatus, kei } = term;
  return searchStatus === 'unsearched' || (searchStatus === 'searched' && kei != null);
}

function isWaiting({ outcome }: TermOutcome): boolean {
  return outcome?.$case === 'scored' && outcome.value.is_second_look_due;
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
