import type { ErrorCode } from '@shelfwise/runtime/errors';

/** One analysis that runs or waits. */
export type QueueEntry = {
  id: string;
  /** What is analyzed: one entry at most has it. */
  key: string;
  /** The copy of the service that has it. */
  holder: string;
  /** The accounts that wait for it, and when each came: a number that grows with each arrival and each turn. */
  callers: { id: string; since: number }[];
  /** The account in whose turn it runs; null while it waits. */
  runs_for: string | null;
  /** A copy that is alive keeps raising this number. */
  renewals: number;
};

/** How the analysis of an entry has failed, for those that waited for it in other copies. */
export type FailedEntry = { id: string; code: ErrorCode; message: string };

/** The analyses of one store in all copies of the service. */
export type AnalysisQueue = {
  /** The number of the last arrival or turn. */
  last: number;
  /** In order of arrival. */
  entries: QueueEntry[];
  /** The last turn of each account that still waits for another analysis. */
  served: { id: string; turn: number }[];
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

/** Many more than fail in a second, in which each copy reads them. */
const keptFailures = 50;

export const emptyQueue: AnalysisQueue = { last: 0, entries: [], served: [], failures: [] };

const waitingIn = ({ entries }: AnalysisQueue) => entries.filter((entry) => entry.runs_for === null);

export const countWaiting = (queue: AnalysisQueue): number => waitingIn(queue).length;

/** The analyses that run in the turn of an account. */
function runningOf({ entries }: AnalysisQueue, callerId: string): number {
  return entries.filter((entry) => entry.runs_for === callerId).length;
}

/** The analyses that count towards the limit of an account. */
export function countOfCaller(queue: AnalysisQueue, callerId: string): number {
  const waiting = waitingIn(queue).filter(({ callers }) => callers[0]?.id === callerId);
  return runningOf(queue, callerId) + waiting.length;
}

/** Adds an analysis at the end of the line of each of its accounts. */
export function addEntry(
  queue: AnalysisQueue,
  { callerIds, ...entry }: Omit<QueueEntry, 'callers' | 'runs_for'> & { callerIds: readonly string[] },
): AnalysisQueue {
  const added = withCallers({ ...entry, callers: [], runs_for: null }, callerIds, queue.last);
  return { ...queue, last: queue.last + callerIds.length, entries: [...queue.entries, added] };
}

/** Replaces the accounts that wait for an analysis. Those that stay keep their places. */
export function setCallers(queue: AnalysisQueue, id: string, callerIds: readonly string[]): AnalysisQueue {
  const entries = queue.entries.map((entry) =>
    entry.id === id && entry.runs_for === null ? withCallers(entry, callerIds, queue.last) : entry,
  );
  return { ...queue, last: queue.last + callerIds.length, entries };
}

function withCallers(entry: QueueEntry, callerIds: readonly string[], last: number): QueueEntry {
  const since = new Map(entry.callers.map((caller) => [caller.id, caller.since]));
  const callers = callerIds.map((id, index) => ({ id, since: since.get(id) ?? last + index + 1 }));
  return { ...entry, callers };
}

/** Lets an analysis run, which ends the turn of the account: its other analyses wait behind those of all others. */
export function startEntry(queue: AnalysisQueue, id: string, callerId: string): AnalysisQueue {
  const turn = queue.last + 1;
  const entries = queue.entries.map((entry) => (entry.id === id ? { ...entry, runs_for: callerId } : entry));
  const served = [...queue.served.filter((caller) => caller.id !== callerId), { id: callerId, turn }];
  return { ...queue, last: turn, entries, served };
}

/** Keeps the failure of an analysis, and forgets the oldest one when there are 50. */
export function addFailure(queue: AnalysisQueue, failure: FailedEntry): AnalysisQueue {
  return { ...queue, failures: [...queue.failures, failure].slice(-keptFailures) };
}

/** Keeps the entries for which `mayStay` is true. */
export function filterEntries(queue: AnalysisQueue, mayStay: (entry: QueueEntry) => boolean): AnalysisQueue {
  const kept = { ...queue, entries: queue.entries.filter(mayStay) };
  const waitingIds = new Set(waitingIn(kept).flatMap(({ callers }) => callers.map(({ id }) => id)));
  return { ...kept, served: kept.served.filter(({ id }) => waitingIds.has(id)) };
}

/**
 * The analyses that may run now, in turn. Accounts are served one after another (round robin), and the analyses of one
 * account in order of arrival; an analysis of several accounts in the first of their turns.
 */
export function findStartable(
  queue: AnalysisQueue,
  limits: QueueLimits,
): { id: string; holder: string; callerId: string }[] {
  const startable = [];
  let simulated = queue;
  while (simulated.entries.length - countWaiting(simulated) < limits.running) {
    const next = findNext(simulated, limits);
    if (!next) break;
    startable.push(next);
    simulated = startEntry(simulated, next.id, next.callerId);
  }
  return startable;
}

function findNext(queue: AnalysisQueue, { runningOfCaller }: QueueLimits) {
  const servedAt = new Map(queue.served.map(({ id, turn }) => [id, turn]));
  /** The first analysis of each account. */
  const firsts = new Map<string, { id: string; holder: string; callerId: string; since: number }>();
  for (const { id, holder, callers } of waitingIn(queue))
    for (const { id: callerId, since } of callers) {
      const first = firsts.get(callerId);
      if (!first || since < first.since) firsts.set(callerId, { id, holder, callerId, since });
    }
  const turnOf = ({ callerId, since }: { callerId: string; since: number }) =>
    Math.max(since, servedAt.get(callerId) ?? 0);
  const [next] = [...firsts.values()]
    .filter(({ callerId }) => runningOf(queue, callerId) < runningOfCaller)
    .sort((left, right) => turnOf(left) - turnOf(right));
  return next ? { id: next.id, holder: next.holder, callerId: next.callerId } : null;
}
