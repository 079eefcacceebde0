import { barredUntilMs, callersFailedAtMs } from './barred-items.ts';
import {
  afterEvent,
  type BreakerEvent,
  type BreakerState,
  boundOpenTime,
  type CallEvent,
  closedState,
  counts,
  isOpen,
  isProbing,
  needsAnsweredProbe,
  usableAtMs,
} from './breaker-state.ts';
import type { FailureFacts } from './failure-facts.ts';
import type { Question } from './question.ts';
import type { StoreFailure } from './store-failure.ts';
import { streakLength } from './store-failure-streak.ts';

/** A call that a breaker let through. Its outcome is reported with one of the methods. */
export type BreakerCall = {
  succeed(): void;
  fail(failure: StoreFailure): void;
  /** The caller gave up: neither a success nor a failure. */
  abandon(): void;
};

/** `until`: when a probe may start; null while one is under way. `failures`: the number of failures in a row. */
export type OpenState = { until: Date | null; failures: number; lastFailure: FailureFacts };

/** Where the state of a breaker is kept: in this process only, or shared by all copies of the service. */
export type BreakerBacking = {
  /** Starts the ids of this copy's calls. */
  copyId: string;
  /** The time by which the copies agree, in epoch milliseconds. */
  nowMs(): number;
  state: BreakerState;
  /** Changes `state` at once; a shared backing then sends the event to the other copies. */
  apply(event: BreakerEvent): void;
  /** Resolves when the events so far are in `state` in the order in which all copies see them. Never rejects. */
  settled(): Promise<void>;
  /** How long a copy waits for the outcome of another's probe, in milliseconds. */
  probeLeaseMs: number;
};

export type Breaker = ReturnType<typeof createBreaker>;

/**
 * The circuit breaker of one endpoint on one address. It opens after several failures in a row, one refusal, or one
 * `throttled`, which stands for several empty answers (`createVerifiedSuggest`). After its open time it lets a single
 * probe through; a failed probe opens it again for twice as long, up to a minute.
 *
 * What one caller asks must not close a store for the others. So the breaker first opens in doubt: a single probe may
 * start at once. It is a question that the store has answered before, else one of another caller. Success closes the
 * breaker. Failure ends the doubt, and the breaker stays open as long as without the probe.
 *
 * Lasting failures that may concern only the item of the question count only when at least three different questions
 * have failed. A question about an item that has failed is no probe.
 *
 * No library fits: opossum accepts no clock (for tests), and cockatiel 4 needs Node 22.
 */
export function createBreaker(
  now: () => Date,
  backing: BreakerBacking = createLocalBacking(now),
  answeredQuestions: () => readonly Question[] = () => [],
) {
  let callCount = 0;
  /** By how much the time of the copies is ahead of this process's clock. */
  const aheadMs = () => backing.nowMs() - now().getTime();

  function readState(): BreakerState {
    backing.state = boundOpenTime(backing.state, backing.nowMs());
    return backing.state;
  }

  function start(question: Question): { id: string; call: BreakerCall } {
    const id = `${backing.copyId} ${callCount++}`;
    const report = (event: CallEvent): void => {
      readState();
      backing.apply({ ...event, id, atMs: backing.nowMs() });
    };
    report({ type: 'started', question, probeUntilMs: backing.nowMs() + backing.probeLeaseMs });
    return {
      id,
      call: {
        succeed: () => report({ type: 'succeeded' }),
        fail: (failure) => report({ type: 'failed', question, failure }),
        abandon: () => report({ type: 'abandoned' }),
      },
    };
  }

  /** Whether a question that the store has answered before is the next probe, instead of this one. */
  function mustWaitForAnswered(state: BreakerState, question: Question): boolean {
    if (question.isAnswered || !needsAnsweredProbe(state)) return false;
    return answeredQuestions().some((each) => barredUntilMs(state.barred, each, backing.nowMs()) === 0);
  }

  return {
    /**
     * From when on a call is let through, in epoch milliseconds. 0: closed. Infinity: a probe is under way, or an
     * answered question must probe first. With a question: from when on a call for it is.
     */
    usableAtMs(question?: Question): number {
      if (question && mustWaitForAnswered(readState(), question)) return Number.POSITIVE_INFINITY;
      const atMs = usableAtMs(readState(), backing.nowMs(), question);
      return atMs === 0 ? 0 : atMs - aheadMs();
    },

    /** Starts a call, with a backing of this process only. Not to be called before `usableAtMs`. */
    startCall: (question: Question): BreakerCall => start(question).call,

    /**
     * Starts a call. Not to be called before `usableAtMs`. Null when another copy of the service was faster to start
     * the probe of an open breaker.
     */
    async claimCall(question: Question): Promise<BreakerCall | null> {
      const mustSettle = isOpen(readState());
      const { id, call } = start(question);
      if (mustSettle) await backing.settled();
      return counts(backing.state, id) ? call : null;
    },

    /** Whether the failures that opened it may concern only what was asked, or one caller. */
    isInDoubt: (): boolean => isOpen(readState()) && readState().isInDoubt,

    isProbing: (): boolean => isOpen(readState()) && isProbing(readState(), backing.nowMs()),

    /** Whether the last failures include one of these callers. */
    hasFailedFor: (question: Question): boolean =>
      callersFailedAtMs(readState().barred, question, backing.nowMs()) !== null,

    /** Null while it is closed. */
    openState(): OpenState | null {
      const state = readState();
      const { last: lastFailure } = state.streak;
      if (!isOpen(state) || lastFailure === null) return null;
      const until = isProbing(state, backing.nowMs()) ? null : new Date(state.openUntilMs - aheadMs());
      return { until, failures: streakLength(state.streak), lastFailure };
    },
  };
}

function createLocalBacking(now: () => Date): BreakerBacking {
  const backing: BreakerBacking = {
    copyId: 'local',
    nowMs: () => now().getTime(),
    state: closedState,
    apply(event) {
      backing.state = afterEvent(backing.state, event);
    },
    settled: async () => {},
    probeLeaseMs: Number.POSITIVE_INFINITY,
  };
  return backing;
}
