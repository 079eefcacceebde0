import type { WaitingCallers } from '@shelfwise/runtime/concurrency/waiting-callers';
import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';

/** One analysis that runs or waits. */
export type QueueEntry = {
  id: string;
  /** What is analyzed: one entry at most has it. */
  key: string;
  /** The copy of the service that has it. */
  holder: string;
  /** The accounts that wait for it. It counts towards the limit of the first one. */
  callers: string[];
  /** The account in whose turn it runs; null while it waits. */
  runs_for: string | null;
  /** A copy that is alive keeps raising this number. */
  renewals: number;
};

/** How the analysis of an entry has failed, for those that waited for it in other copies. */
export type FailedEntry = { id: string; code: ErrorCode; message: string };

/** The analyses of one store in all copies of the service. */
export type AnalysisQueue = {
  /** In order of arrival. */
  entries: QueueEntry[];
  /** The accounts with waiting analyses, in the order of their turns. */
  turns: string[];
  /** The last ones, the newest at the end. */
  failures: FailedEntry[];
};

export type QueueLimits = {
  /** How many run at the same time. */
  running: number;
  /** How many of one account run at the same time. */
  runningOfCaller: number;
  /** How many of one account run and wait; those that it shares count for one of its accounts. */
  ofCaller: number;
  waiting: number;
};

/** An analysis of the copy that changes the queue. */
export type QueuedAnalysis = {
  id: string;
  key: string;
  /** `new`: it has no entry in the stored queue yet. */
  state: 'new' | 'waiting' | 'running';
  callers: Pick<WaitingCallers, 'ids'>;
};

const waitingIn = ({ entries }: AnalysisQueue) => entries.filter((entry) => entry.runs_for === null);

/** The analyses that run in the turn of an account. */
const runningOf = ({ entries }: AnalysisQueue, callerId: string) =>
  entries.filter((entry) => entry.runs_for === callerId).length;

/**
 * Gives a new analysis of the copy `holder` an entry, or updates the accounts of a waiting one. One that runs, lost its
 * entry, or is in another copy stays as it is. When its first account has left, it counts for another one with room.
 * Returns why it is refused, else null.
 */
export function enterAnalysis(
  queue: AnalysisQueue,
  { id, key, state, callers }: QueuedAnalysis,
  { holder, limits }: { holder: string; limits: QueueLimits },
): AppError | null {
  const entry = queue.entries.find((queued) => queued.id === id);
  if (entry ? entry.runs_for !== null : state !== 'new' || queue.entries.some((queued) => queued.key === key))
    return null;
  const waiting = waitingIn(queue);
  const countOf = (callerId: string) =>
    runningOf(queue, callerId) + waiting.filter((queued) => queued.callers[0] === callerId).length;
  const callerIds = callers.ids();
  const first =
    callerIds.find((callerId) => callerId === entry?.callers[0]) ??
    callerIds.find((callerId) => countOf(callerId) < limits.ofCaller);
  if (first === undefined) {
    queue.entries = queue.entries.filter((queued) => queued !== entry);
    return tooManyOfCaller(limits);
  }
  const inOrder = [first, ...callerIds.filter((callerId) => callerId !== first)];
  if (entry) entry.callers = inOrder;
  else if (waiting.length >= limits.waiting) return queueFull(waiting.length);
  else queue.entries.push({ id, key, holder, callers: inOrder, runs_for: null, renewals: 0 });
  return null;
}

/**
 * Lets the analyses run whose turn it is, whichever copy has them. Accounts are served round robin, the analyses of one
 * account in order of arrival. An analysis of several accounts runs in the first of their turns.
 */
export function startNext(queue: AnalysisQueue, limits: QueueLimits): void {
  for (;;) {
    const waiting = waitingIn(queue);
    const callerIds = new Set(waiting.flatMap(({ callers }) => callers));
    const turns = new Set([...queue.turns, ...callerIds]);
    queue.turns = [...turns].filter((callerId) => callerIds.has(callerId));
    if (queue.entries.length - waiting.length >= limits.running) return;
    const next = queue.turns.find((callerId) => runningOf(queue, callerId) < limits.runningOfCaller);
    const entry = next === undefined ? undefined : waiting.find(({ callers }) => callers.includes(next));
    if (next === undefined || !entry) return;
    entry.runs_for = next;
    queue.turns = [...queue.turns.filter((callerId) => callerId !== next), next];
  }
}

function tooManyOfCaller({ runningOfCaller, ofCaller }: QueueLimits): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `Your account already has ${ofCaller} niche analyses of this store under way: ${runningOfCaller} runs at a time, and ${ofCaller - runningOfCaller} may wait. Try again when one of them has finished.`,
  );
}

function queueFull(waiting: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `${waiting} niche analyses of this store are already waiting. Try again in a few minutes.`,
  );
}
