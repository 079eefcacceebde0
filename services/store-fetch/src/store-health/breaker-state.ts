import { z } from 'zod';
import { addBarred, barredItemsSchema, barredUntilMs, callersFailedAtMs } from './barred-items.ts';
import type { Question } from './question.ts';
import type { StoreFailure } from './store-failure.ts';
import { addFailure, isTripped, noStreak, streakSchema } from './store-failure-streak.ts';

const firstOpenMs = 15_000;
const maxOpenMs = 60_000;

const timeSchema = z.number().int().min(0);

/**
 * The state of a breaker as a value that is never changed, so that copies of the service can share it. Times are epoch
 * milliseconds.
 */
export const breakerStateSchema = z
  .strictObject({
    streak: streakSchema,
    barred: barredItemsSchema,
    /** How long the breaker opens this time; 0 while it is closed. */
    openMs: timeSchema.max(maxOpenMs),
    openUntilMs: timeSchema,
    /** `untilMs`: when the outcome of the probe is no longer awaited. */
    probe: z.strictObject({ id: z.string().max(60), isEarly: z.boolean(), untilMs: timeSchema }).nullable(),
    /**
     * The failures so far may concern only what was asked, or only what one caller asks. Since the breaker opened, no
     * question has failed that the store had answered before, and none of another caller.
     */
    isInDoubt: z.boolean(),
    /**
     * When the last failure that counted and the last success that ended a streak happened; 0: never. The later event
     * never has the earlier time, whatever the clocks of the copies say.
     */
    failedAtMs: timeSchema,
    succeededAtMs: timeSchema,
  })
  .refine(({ openMs, streak }) => openMs === 0 || streak.last !== null);

export type BreakerState = z.output<typeof breakerStateSchema>;

export type CallEvent =
  | { type: 'started'; question: Question; probeUntilMs: number }
  | { type: 'succeeded' }
  | { type: 'failed'; question: Question; failure: StoreFailure }
  | { type: 'abandoned' };

/** What happens to the calls of a breaker. `id` identifies the call. */
export type BreakerEvent = { id: string; atMs: number } & CallEvent;

export const closedState: BreakerState = {
  streak: noStreak,
  barred: [],
  openMs: 0,
  openUntilMs: 0,
  probe: null,
  isInDoubt: false,
  failedAtMs: 0,
  succeededAtMs: 0,
};

/**
 * The state after the event: the same object if the event changes nothing.
 *
 * A call that starts while the breaker is open is the probe, if it may be one. While the breaker is open only the
 * outcome of the probe counts: all other calls started before it opened.
 */
export function afterEvent(state: BreakerState, event: BreakerEvent): BreakerState {
  switch (event.type) {
    case 'started':
      return isOpen(state) ? afterProbeStarted(state, event) : state;
    case 'succeeded':
      return counts(state, event.id) ? closedAt(state, event.atMs) : state;
    case 'failed':
      return afterFailure(state, event);
    case 'abandoned':
      return state.probe?.id === event.id ? { ...state, probe: null } : state;
  }
}

/**
 * From when on a call is let through, in epoch milliseconds: 0 while closed, infinity while a probe is under way. With
 * a question: from when on a call for it is.
 *
 * In doubt, an answered question or one of a caller without a failure may probe at once. A caller that has failed must
 * not keep the breaker open with ever new questions. It waits for the open time, without doubt for a minute, so that
 * others probe first.
 */
export function usableAtMs(state: BreakerState, nowMs: number, question?: Question): number {
  if (!isOpen(state)) return 0;
  if (isProbing(state, nowMs)) return Number.POSITIVE_INFINITY;
  if (!question) return state.openUntilMs;
  return Math.max(probeAtMs(state, nowMs, question), barredUntilMs(state.barred, question, nowMs));
}

function probeAtMs({ isInDoubt, openUntilMs, barred }: BreakerState, nowMs: number, question: Question) {
  const failedAtMs = question.isAnswered ? null : callersFailedAtMs(barred, question, nowMs);
  if (failedAtMs === null) return isInDoubt ? 0 : openUntilMs;
  return isInDoubt ? openUntilMs : Math.max(openUntilMs, failedAtMs + maxOpenMs);
}

/**
 * Whether the probe must be a question that the store has answered before, if there is one: another one may fail by
 * itself. After `throttled` it need not: empty lists have their own canaries (`createVerifiedSuggest`).
 */
export function needsAnsweredProbe(state: BreakerState): boolean {
  return isOpen(state) && state.streak.last?.kind !== 'throttled';
}

/** The state with an open time that ends `openMs` from now at the latest, also after the clock was set back. */
export function boundOpenTime(state: BreakerState, nowMs: number): BreakerState {
  const latestMs = nowMs + state.openMs;
  return isOpen(state) && state.openUntilMs > latestMs ? { ...state, openUntilMs: latestMs } : state;
}

export function isOpen({ openMs }: BreakerState): boolean {
  return openMs > 0;
}

export function isProbing({ probe }: BreakerState, nowMs: number): boolean {
  return probe !== null && nowMs < probe.untilMs;
}

/** Whether the outcome of the call counts, now that it has started. */
export function counts(state: BreakerState, id: string): boolean {
  return !isOpen(state) || state.probe?.id === id;
}

/**
 * Whether the state replaces one that other copies reached without it. A failure that opened the breaker outlives all
 * but a later success.
 */
export function outdates(state: BreakerState, other: BreakerState): boolean {
  if (isOpen(state) && !isOpen(other)) return state.failedAtMs > other.succeededAtMs;
  if (isOpen(other) && !isOpen(state)) return state.succeededAtMs > other.failedAtMs;
  return changedAtMs(state) > changedAtMs(other);
}

function changedAtMs({ failedAtMs, succeededAtMs }: BreakerState): number {
  return Math.max(failedAtMs, succeededAtMs);
}

/** Whether the state holds nothing that a breaker which never failed does not have. */
function isForgettable({ openMs, streak, barred }: BreakerState): boolean {
  return openMs === 0 && streak.ofStore + streak.ofItems === 0 && barred.length === 0;
}

function afterProbeStarted(
  state: BreakerState,
  { id, atMs, question, probeUntilMs }: Extract<BreakerEvent, { type: 'started' }>,
): BreakerState {
  if (usableAtMs(state, atMs, question) > atMs) return state;
  return { ...state, probe: { id, isEarly: atMs < state.openUntilMs, untilMs: probeUntilMs } };
}

function closedAt(state: BreakerState, atMs: number): BreakerState {
  if (isForgettable(state)) return state;
  return { ...closedState, succeededAtMs: Math.max(atMs, state.failedAtMs, state.succeededAtMs) };
}

function afterFailure(
  state: BreakerState,
  { id, atMs, question, failure }: Extract<BreakerEvent, { type: 'failed' }>,
): BreakerState {
  const withBarred = {
    ...state,
    barred: addBarred(state.barred, question, { failure, nowMs: atMs, usualMs: maxOpenMs }),
  };
  if (!counts(state, id)) return withBarred;
  const { streak, isCounted } = addFailure(state.streak, question, failure);
  const isOfFailedCaller = !question.isAnswered && callersFailedAtMs(state.barred, question, atMs) !== null;
  const failed = {
    ...withBarred,
    streak,
    isInDoubt: state.isInDoubt && isOfFailedCaller,
    probe: null,
    failedAtMs: Math.max(atMs, state.failedAtMs, state.succeededAtMs),
  };
  if (state.probe?.isEarly) return failed;
  const opens = isCounted && (isOpen(state) || failure.kind === 'throttled' || isTripped(streak));
  if (!opens) return failed;
  const opened = openedAt(failed, atMs);
  return isOpen(state) ? opened : { ...opened, isInDoubt: failure.kind !== 'throttled' };
}

function openedAt(state: BreakerState, atMs: number): BreakerState {
  const openMs = isOpen(state) ? Math.min(state.openMs * 2, maxOpenMs) : firstOpenMs;
  return { ...state, openMs, openUntilMs: atMs + openMs };
}
