import { StoreFailure, storeFetchFailed } from '../store-failure.ts';
import type { Address } from './addresses.ts';
import type { Breakers } from './breakers.ts';
import type { CallScheduler, CallSlot, SlotRequest } from './call-scheduler.ts';
import type { Clock } from './clock.ts';
import {
  type Attempt,
  type Budget,
  type CallWithBudget,
  type Endpoint,
  endpoints,
  type StoreRequest,
} from './endpoints.ts';
import { retryBackoffMs } from './retry-backoff.ts';

/** Is notified of calls, for metrics and the health page. */
export type CallObserver = {
  /**
   * A call was made. `outcome` is the kind of failure, or ok, also when the answer is that there is no such app.
   * `failure` is null for ok.
   */
  onCall(call: { endpoint: Endpoint; outcome: string; failure: StoreFailure | null; ms: number }): void;
  /** A call was refused, and not made. */
  onRefused(call: { endpoint: Endpoint; reason: 'budget_exhausted' | 'circuit_open' }): void;
};

export type CallWithBudgetDeps = {
  addresses: readonly Address[];
  schedulers: Readonly<Record<Budget, CallScheduler>>;
  breakers: Breakers;
  clock: Clock;
  /** 0 to 1 */
  random: () => number;
  observer: CallObserver;
};

/**
 * No attempt starts later than this after the request was made or became urgent. With 8 s for the answer (the default
 * of STORE_TIMEOUT_MS) it ends within 33 s: the 35 s of an API call less the 2 s that `beforeDeadline` reserves.
 */
const lastAttemptMs = 25_000;

/**
 * Each attempt needs its own call slot, on an address where the endpoint's breaker is closed. A retry goes through an
 * address on which the request has not failed, if one can be used, and never through one that the store has refused.
 */
export function createCallWithBudget(deps: CallWithBudgetDeps): CallWithBudget {
  const { addresses, schedulers, breakers, clock, random, observer } = deps;

  async function callWithRetries<Answer>(
    request: StoreRequest,
    attempt: (attempt: Attempt) => Promise<Answer>,
  ): Promise<Answer> {
    let limitAtMs = nowMs() + lastAttemptMs;
    const maxWaitMs = () => limitAtMs - nowMs();
    // The request becomes urgent when a waiting caller joins it: that caller may wait as long as any other.
    const stopListening = request.urgency.onUrgent(() => {
      limitAtMs = nowMs() + lastAttemptMs;
    });
    const failures: StoreFailure[] = [];
    const failedOn = new Set<Address>();
    const refusedOn = new Set<Address>();
    try {
      for (;;) {
        const excludedAddresses = hasOtherAddress(request.endpoint, failedOn) ? failedOn : refusedOn;
        const slot = await acquireSlot(request, { failures, excludedAddresses, maxWaitMs });
        try {
          return await attemptOnce(request, slot, attempt);
        } catch (error) {
          if (!(error instanceof StoreFailure)) throw error;
          failures.push(error);
          failedOn.add(slot.address);
          if (error.kind === 'blocked' || error.kind === 'captcha') refusedOn.add(slot.address);
          const backoffMs = retryBackoffMs(failures, refusedOn.size < addresses.length, random);
          if (backoffMs === null || backoffMs >= maxWaitMs()) throw error;
          if (backoffMs > 0) await pause(backoffMs, request.signal);
        }
      }
    } finally {
      stopListening();
    }
  }

  /**
   * Whether the endpoint can be called through an address on which the request has not failed: the address may be the
   * cause.
   */
  function hasOtherAddress(endpoint: Endpoint, failedOn: ReadonlySet<Address>): boolean {
    return addresses.some((address) => !failedOn.has(address) && breakers.isUsable(endpoint, address));
  }

  /** @throws the previous failure when a retry gets no slot */
  async function acquireSlot(
    { endpoint, urgency, signal }: StoreRequest,
    {
      failures,
      ...limits
    }: { failures: StoreFailure[] } & Pick<SlotRequest, 'excludedAddresses' | 'maxWaitMs'>,
  ): Promise<CallSlot> {
    try {
      return await schedulers[endpoints[endpoint].budget].acquire({ endpoint, urgency, signal, ...limits });
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      const previousFailure = failures.at(-1);
      if (previousFailure) throw previousFailure;
      const { kind } = error;
      if (kind === 'budget_exhausted' || kind === 'circuit_open')
        observer.onRefused({ endpoint, reason: kind });
      throw error;
    }
  }

  async function attemptOnce<Answer>(
    { endpoint, signal }: StoreRequest,
    { address, breakerCall }: CallSlot,
    attempt: (attempt: Attempt) => Promise<Answer>,
  ): Promise<Answer> {
    const startedAtMs = nowMs();
    let failure: StoreFailure | null = null;
    try {
      const answer = await attempt({ dispatcher: address.dispatcher, signal });
      breakerCall.succeed();
      return answer;
    } catch (error) {
      // Any other error, such as APP_NOT_FOUND, comes from a readable answer.
      if (!(error instanceof StoreFailure)) breakerCall.succeed();
      else {
        failure = error;
        if (error.kind === 'abandoned') breakerCall.abandon();
        else breakerCall.fail(error);
      }
      throw error;
    } finally {
      const outcome = failure?.kind ?? 'ok';
      observer.onCall({ endpoint, outcome, failure, ms: nowMs() - startedAtMs });
      schedulers[endpoints[endpoint].budget].recheck();
    }
  }

  function pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stop();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const stop = clock.after(ms, end);
      signal.addEventListener('abort', end);
    });
  }

  const nowMs = () => clock.now().getTime();

  return async (request, attempt) => {
    try {
      return await callWithRetries(request, attempt);
    } catch (error) {
      throw error instanceof StoreFailure
        ? storeFetchFailed(endpoints[request.endpoint].store, error)
        : error;
    }
  };
}
