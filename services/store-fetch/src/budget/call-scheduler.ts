import type { WaitingCallers } from '@shelfwise/runtime/concurrency/waiting-callers';
import { AppError } from '@shelfwise/runtime/errors';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { outsideSpans } from '@shelfwise/runtime/tracing/tracing';
import type { Breakers } from '../store-health/breakers.ts';
import type { Clock } from '../store-health/clock.ts';
import type { Address, Budget } from '../store-health/endpoints.ts';
import { StoreFailure } from '../store-health/store-failure.ts';
import { createAddressBudgets } from './address-budgets.ts';
import type { Buckets } from './buckets.ts';
import type { CallSlot, SlotRequest } from './call-slot.ts';
import { createPriorityQueue } from './priority-queue.ts';
import { urgencyLabel } from './urgency.ts';

export type CallSchedulerDeps = {
  budget: Budget;
  /** Calls that each address may make. */
  perMinute: number;
  addresses: readonly Address[];
  buckets: Buckets;
  breakers: Breakers;
  clock: Clock;
  onSlotGranted(slot: { budget: Budget; isUrgent: boolean; waitedMs: number }): void;
};

type QueuedCall = Pick<SlotRequest, 'endpoint' | 'question' | 'excludedAddresses' | 'maxWaitMs'> & {
  isUrgent: boolean;
  queuedAtMs: number;
  /** Sorts the calls of one caller; renewed when the call becomes urgent. */
  arrival: number;
  /** False when the caller has given up. */
  grant(slot: CallSlot): boolean;
  refuse(error: unknown): void;
};

/** The first call of a queue, and an address that it may use from `atMs` on. */
type Match = { call: QueuedCall; address: Address; atMs: number };

export type CallScheduler = ReturnType<typeof createCallScheduler>;

/**
 * Grants call slots within one budget. Urgent calls go before the daily run, and that goes before jobs of accounts. Callers are
 * served in turn, the calls of each in order of arrival, so that the queue of one delays the others by one call. A call that cannot use the only
 * address with budget left delays no other call. A slot is granted as soon as an address has budget left, the fullest
 * first. The daily run needs a full bucket. Callers that gave up are skipped and cost nothing. A token is lost only if
 * all callers give up while the database takes it, or another copy starts the probe first.
 */
export function createCallScheduler(deps: CallSchedulerDeps) {
  const { budget, perMinute, addresses, buckets, breakers, clock } = deps;
  const nowMs = () => clock.now().getTime();
  const budgets = createAddressBudgets({ budget, perMinute, buckets, nowMs });
  const queue = createPriorityQueue<QueuedCall>();
  let arrivals = 0;
  let isGranting = false;
  /** Ends the current `sleep`. */
  let wake = () => {};
  let isStopped = false;

  /** Grants slots until the queue is empty. If the budgets cannot be read, all queued calls are refused. */
  async function grantSlots(): Promise<void> {
    if (isGranting) return;
    isGranting = true;
    try {
      for (let match = findMatch(); match !== null; match = findMatch()) {
        const waitMs = match.atMs - nowMs();
        if (waitMs > 0) await sleep(waitMs);
        else await takeAndGrant(match);
      }
    } catch (error) {
      refuseAll(error);
    } finally {
      isGranting = false;
    }
  }

  function refuseAll(error: unknown): void {
    for (const calls of queue.groups()) for (const call of calls) call.refuse(error);
  }

  /** The next call: one that can be made now, otherwise the one that can be made soonest. */
  function findMatch(): Match | null {
    let best: Match | null = null;
    for (const call of firstCalls()) {
      for (const address of addresses) {
        if (call.excludedAddresses.has(address)) continue;
        const match = { call, address, atMs: callableAtMs(call, address) };
        if (best === null || comesBefore(match, best)) best = match;
      }
    }
    return best;
  }

  /** Calls that can be made now: the urgent ones first, then in turn, then on the fullest address. */
  function comesBefore(a: Match, b: Match): boolean {
    const now = nowMs();
    if (a.atMs > now || b.atMs > now) return a.atMs < b.atMs;
    if (a.call !== b.call) return compareCalls(a.call, b.call) < 0;
    return budgets.fullAtMs(a.address) < budgets.fullAtMs(b.address);
  }

  const compareCalls = (a: QueuedCall, b: QueuedCall) => queue.compare(a, b) || a.arrival - b.arrival;

  function callableAtMs(call: QueuedCall, address: Address): number {
    const tokenAtMs = budgets.mayTakeAtMs(address, call.isUrgent);
    return Math.max(tokenAtMs, breakers.get(call.endpoint, address).usableAtMs(call.question));
  }

  /** The next call of each group. Refuses calls whose breaker is open on all addresses that they may use. */
  function firstCalls(): QueuedCall[] {
    const firsts: QueuedCall[] = [];
    for (const calls of queue.groups()) {
      for (const call of calls) {
        const circuitOpen = circuitOpenFor(call);
        if (!circuitOpen) {
          firsts.push(call);
          break;
        }
        call.refuse(circuitOpen);
      }
    }
    return firsts;
  }

  async function takeAndGrant({ call, address }: Match): Promise<void> {
    const { isUrgent } = call;
    if (!(await budgets.take(address, isUrgent))) return;
    const next = nextCallOn(address, isUrgent);
    if (!next) return;
    // Null: another copy was faster to start the probe. The call stays in the queue, which then refuses it.
    const breakerCall = await breakers.get(next.endpoint, address).claimCall(next.question);
    if (breakerCall && !next.grant({ address, breakerCall })) breakerCall.abandon();
  }

  /**
   * The call that gets the token: chosen again, because the queue may have changed while the token was taken. A token
   * for an urgent call (`isForUrgentOnly`) may come from a bucket that is not full: not for the daily run.
   */
  function nextCallOn(address: Address, isForUrgentOnly: boolean): QueuedCall | undefined {
    return firstCalls()
      .filter(({ isUrgent }) => isUrgent || !isForUrgentOnly)
      .filter(
        (call) =>
          !call.excludedAddresses.has(address) && breakers.isUsable(call.endpoint, address, call.question),
      )
      .sort(compareCalls)[0];
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = clock.after(Math.ceil(ms), resolve);
      wake = () => {
        stop();
        resolve();
      };
    });
  }

  function enqueue(request: SlotRequest): Promise<CallSlot> {
    return new Promise((resolve, reject) => {
      const queuedAtMs = nowMs();
      const { callers } = request.urgency;
      const call: QueuedCall = {
        endpoint: request.endpoint,
        question: request.question,
        excludedAddresses: new Set(request.excludedAddresses),
        maxWaitMs: () => request.maxWaitMs(),
        isUrgent: request.urgency.isUrgent(),
        queuedAtMs,
        arrival: arrivals++,
        grant(slot) {
          if (!isQueued) return false;
          queue.serve(call);
          leave();
          deps.onSlotGranted({ budget, isUrgent: call.isUrgent, waitedMs: nowMs() - queuedAtMs });
          resolve(slot);
          return true;
        },
        refuse(error) {
          leave();
          reject(error);
        },
      };
      const giveUp = () => call.refuse(abandoned(request.signal));
      let stopTimeout = startTimeout(call);
      const stopListening = request.urgency.onUrgent(() => {
        remove(call);
        call.isUrgent = true;
        call.arrival = arrivals++;
        add(call, callers);
        stopTimeout();
        stopTimeout = startTimeout(call);
      });
      let isQueued = true;
      const leave = () => {
        isQueued = false;
        stopTimeout();
        stopListening();
        request.signal.removeEventListener('abort', giveUp);
        remove(call);
      };
      request.signal.addEventListener('abort', giveUp);
      add(call, callers);
    });
  }

  function startTimeout(call: QueuedCall): () => void {
    const maxWaitMs = call.maxWaitMs();
    const when = `within ${Math.round(maxWaitMs / 1000)} s`;
    return clock.after(maxWaitMs, () => call.refuse(budgetExhausted(when)));
  }

  function add(call: QueuedCall, callers: WaitingCallers): void {
    queue.add(call, callers);
    wake();
    // It also grants the slots of other callers.
    outsideSpans(() => void grantSlots());
  }

  function remove(call: QueuedCall): void {
    queue.remove(call);
    wake();
  }

  function budgetExhausted(when: string): StoreFailure {
    const where = addresses.length === 1 ? '' : ` on each of ${addresses.length} addresses`;
    const { urgent, daily } = queue.lengths();
    const queued = urgent + daily;
    return new StoreFailure(
      'budget_exhausted',
      `cannot be called ${when}: the store budget of ${perMinute} ${nounFor(perMinute, 'call')} a minute${where} is exhausted (${queued} ${nounFor(queued, 'call')} queued)`,
    );
  }

  function circuitOpenFor(
    call: Pick<SlotRequest, 'endpoint' | 'question' | 'excludedAddresses'>,
  ): StoreFailure | null {
    return breakers.circuitOpenFailure(call.endpoint, {
      candidates: addresses.filter((address) => !call.excludedAddresses.has(address)),
      question: call.question,
    });
  }

  return {
    budget,

    /**
     * Waits for a call slot.
     * @throws StoreFailure `budget_exhausted`, `circuit_open` or `abandoned`; SERVICE_UNAVAILABLE when the budgets
     *   cannot be read, or after `stop`
     */
    async acquire(request: SlotRequest): Promise<CallSlot> {
      if (isStopped) throw stopping();
      if (request.signal.aborted) throw abandoned(request.signal);
      const circuitOpen = circuitOpenFor(request);
      if (circuitOpen) throw circuitOpen;
      if (queue.isFull(request.urgency)) throw budgetExhausted('now');
      return enqueue(request);
    },

    /** To be called when the state of a breaker may have changed. */
    recheck: () => wake(),

    stop() {
      isStopped = true;
      refuseAll(stopping());
    },

    queuedCalls: () => ({ ...queue.lengths() }),

    /** How long the call of each urgency that waits longest has been queued, in ms; 0 when none is. */
    longestWaitsMs() {
      const waits = { urgent: 0, daily: 0 };
      for (const calls of queue.groups())
        for (const { isUrgent, queuedAtMs } of calls) {
          const urgency = urgencyLabel(isUrgent);
          waits[urgency] = Math.max(waits[urgency], nowMs() - queuedAtMs);
        }
      return waits;
    },
  };
}

function abandoned(signal: AbortSignal): StoreFailure {
  return new StoreFailure('abandoned', 'had not been called when the caller gave up', {
    cause: signal.reason,
  });
}

function stopping(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The service is stopping and calls no store. Try again.');
}
