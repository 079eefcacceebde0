import { AppError } from '@shelfwise/runtime/errors';
import {
  type AnalysisQueue,
  addEntry,
  addFailure,
  countOfCaller,
  countWaiting,
  type FailedEntry,
  filterEntries,
  findStartable,
  type QueueEntry,
  type QueueLimits,
  setCallers,
  startEntry,
} from '../domain/analysis-queue.ts';
import type { OwnAnalysis } from './own-analysis.ts';

type PlannedAnalysis = Pick<OwnAnalysis, 'id' | 'key' | 'callers' | 'state'>;

/** What happens to an analysis of this copy once the queue is stored. */
export type Outcome = { id: string } & (
  | { type: 'started'; callerId: string }
  | { type: 'refused'; error: AppError }
  /** Another copy has the same analysis. */
  | { type: 'elsewhere' }
  /** It ran, and another copy has dropped its place. */
  | { type: 'lost' }
);

/**
 * What the queue should be, and what that means for the analyses of this copy. The copy brings its analyses and their
 * failures into the queue, and starts those of its analyses whose turn it is; other copies start theirs.
 * @param living the stored queue without the entries that have no living copy
 * @param copy.holder the name of this copy in the queue
 * @param copy.failures of analyses that were released since the last change
 * @param copy.isRenewal whether the entries of this copy are renewed
 */
export function planQueue(
  living: AnalysisQueue,
  copy: {
    holder: string;
    analyses: readonly PlannedAnalysis[];
    failures: readonly FailedEntry[];
    isRenewal: boolean;
  },
  limits: QueueLimits,
): { queue: AnalysisQueue; outcomes: readonly Outcome[] } {
  const { holder, analyses, failures, isRenewal } = copy;
  const outcomes: Outcome[] = [];
  let queue = living;
  for (const failure of failures) queue = addFailure(queue, failure);
  for (const analysis of analyses) {
    const planned = planOne(queue, analysis, { holder, limits });
    queue = planned.queue;
    if (planned.outcome) outcomes.push(planned.outcome);
  }
  if (isRenewal) queue = renew(queue, holder);
  for (const next of findStartable(queue, limits)) {
    if (next.holder !== holder) continue;
    const { id, callerId } = next;
    queue = startEntry(queue, id, callerId);
    outcomes.push({ id, type: 'started', callerId });
  }
  return { queue, outcomes };
}

/** Keeps the entry of an analysis up to date, or adds one for a new analysis that is not refused. */
function planOne(
  queue: AnalysisQueue,
  { id, key, callers, state }: PlannedAnalysis,
  { holder, limits }: { holder: string; limits: QueueLimits },
): { queue: AnalysisQueue; outcome?: Outcome } {
  const callerIds = callers.ids();
  const entry = queue.entries.find((queued) => queued.id === id);
  if (entry) {
    const { runs_for: callerId } = entry;
    if (callerId === null) return planWaiting(queue, entry, { callerIds, limits });
    // Not running here: it was started by a change that the database did not confirm.
    return state === 'running' ? { queue } : { queue, outcome: { id, type: 'started', callerId } };
  }
  if (state === 'running') return { queue, outcome: { id, type: 'lost' } };
  if (queue.entries.some((other) => other.key === key)) return { queue, outcome: { id, type: 'elsewhere' } };
  const error = state === 'new' ? refuse(queue, callerIds, limits) : null;
  if (error) return { queue, outcome: { id, type: 'refused', error } };
  return { queue: addEntry(queue, { id, key, holder, callerIds, renewals: 0 }) };
}

/**
 * Updates the accounts of a waiting analysis. It counts towards the limit of the first one. When that one has left, it passes
 * to an account that may have one more, and is refused if there is none.
 */
function planWaiting(
  queue: AnalysisQueue,
  { id, callers }: QueueEntry,
  { callerIds, limits }: { callerIds: readonly string[]; limits: QueueLimits },
): { queue: AnalysisQueue; outcome?: Outcome } {
  const stored = callers.map((caller) => caller.id);
  const first =
    callerIds.find((callerId) => callerId === stored[0]) ??
    callerIds.find((callerId) => countOfCaller(queue, callerId) < limits.ofCaller);
  if (first === undefined) {
    const left = filterEntries(queue, (entry) => entry.id !== id);
    return { queue: left, outcome: { id, type: 'refused', error: tooManyOfCaller(limits) } };
  }
  const wanted = [first, ...callerIds.filter((callerId) => callerId !== first)];
  const isSame = stored.join('\n') === wanted.join('\n');
  return { queue: isSame ? queue : setCallers(queue, id, wanted) };
}

function renew(queue: AnalysisQueue, holder: string): AnalysisQueue {
  const entries = queue.entries.map((entry) =>
    entry.holder === holder ? { ...entry, renewals: entry.renewals + 1 } : entry,
  );
  return { ...queue, entries };
}

/** Refuses an analysis when its first account has too many, or too many wait. */
function refuse(queue: AnalysisQueue, [first = '']: readonly string[], limits: QueueLimits): AppError | null {
  if (countOfCaller(queue, first) >= limits.ofCaller) return tooManyOfCaller(limits);
  const waiting = countWaiting(queue);
  return waiting >= limits.waiting ? queueFull(waiting) : null;
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
