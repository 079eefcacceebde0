import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { StoreFailure, storeFetchFailed } from '../store-failure.ts';
import type { Address } from './addresses.ts';
import { type AnsweredQuestion, createAnsweredQuestions } from './answered-questions.ts';
import type { Breakers } from './breakers.ts';
import type { CallScheduler } from './call-scheduler.ts';
import type { CallSlot, SlotRequest } from './call-slot.ts';
import type { Clock } from './clock.ts';
import {
  type Attempt,
  type Budget,
  type CallWithBudget,
  type Endpoint,
  endpoints,
  type StoreRequest,
} from './endpoints.ts';
import type { FailedQuestions } from './failed-questions.ts';
import type { Question } from './question.ts';
import { retryBackoffMs } from './retry-backoff.ts';
import { attemptInSpan, waitInSpan } from './store-spans.ts';
import { forDailyRun, urgent } from './urgency.ts';

/** `failed_before`: the store has lastingly failed to answer the question (`createFailedQuestions`). */
export type RefusalReason = 'budget_exhausted' | 'circuit_open' | 'failed_before';

/** Is notified of calls, for metrics and the health page. */
export type CallObserver = {
  /**
   * A call was made. `outcome` is the kind of failure, or ok, also when the answer is that there is no such app.
   * `failure` is null for ok.
   */
  onCall(
    call: Pick<StoreRequest, 'endpoint' | 'question' | 'requestId'> & {
      outcome: string;
      failure: StoreFailure | null;
      ms: number;
    },
  ): void;
  /** A call was refused, and not made. */
  onRefused(call: { endpoint: Endpoint; reason: RefusalReason }): void;
};

export type CallWithBudgetDeps = {
  addresses: readonly Address[];
  schedulers: Readonly<Record<Budget, CallScheduler>>;
  breakers: Breakers;
  failedQuestions: FailedQuestions;
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
 *
 * A request that an open breaker refuses waits for a probe, if there is one: a question that the store has answered
 * before is asked again, when the open time is over or, while the items may be at fault, at once.
 */
export function createCallWithBudget(deps: CallWithBudgetDeps): CallWithBudget {
  const { addresses, schedulers, breakers, failedQuestions, clock, random, observer } = deps;
  const answeredQuestions = createAnsweredQuestions();
  const probes = createSingleflight<void>();
  /** Endpoints that are being probed. */
  const probing = new Set<Endpoint>();

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
        const excludedAddresses = hasOtherAddress(request, failedOn) ? failedOn : refusedOn;
        const slot = await acquireSlot(request, { failures, excludedAddresses, maxWaitMs });
        try {
          return await attemptInSpan(request.endpoint, () => attemptOnce(request, slot, attempt));
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
  function hasOtherAddress({ endpoint, question }: StoreRequest, failedOn: ReadonlySet<Address>): boolean {
    return addresses.some(
      (address) => !failedOn.has(address) && breakers.isUsable(endpoint, address, question),
    );
  }

  /** @throws the previous failure when a retry gets no slot */
  async function acquireSlot(
    request: StoreRequest,
    {
      failures,
      ...limits
    }: { failures: StoreFailure[] } & Pick<SlotRequest, 'excludedAddresses' | 'maxWaitMs'>,
  ): Promise<CallSlot> {
    for (;;) {
      try {
        const { budget } = endpoints[request.endpoint];
        return await waitInSpan(budget, () => schedulers[budget].acquire({ ...request, ...limits }));
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error;
        const previousFailure = failures.at(-1);
        if (previousFailure) throw previousFailure;
        if (error.kind === 'circuit_open' && (await probe(request, limits.maxWaitMs))) continue;
        reportRefusal(request, error);
        throw error;
      }
    }
  }

  function reportRefusal({ endpoint }: StoreRequest, { kind }: StoreFailure): void {
    if (kind === 'budget_exhausted' || kind === 'circuit_open')
      observer.onRefused({ endpoint, reason: kind });
  }

  /**
   * Asks a question that the store has answered before, if that may probe the endpoint's breaker. Requests at the same
   * time share the probe. True when the request can be made after it.
   */
  async function probe(request: StoreRequest, maxWaitMs: () => number): Promise<boolean> {
    const { endpoint, question, signal } = request;
    const answered = answeredQuestions.list(endpoint).find((each) => canCall(endpoint, each.question));
    if (!answered && !probing.has(endpoint)) return false;
    await probes.join(endpoint, signal, async (sharedSignal) => {
      if (answered) await askAgain({ ...request, signal: sharedSignal }, answered, maxWaitMs);
    });
    return maxWaitMs() > 0 && canCall(endpoint, question);
  }

  /** Asks the question on behalf of no caller, once. The breaker keeps the outcome. */
  async function askAgain(
    request: StoreRequest,
    { question, attempt }: AnsweredQuestion,
    maxWaitMs: () => number,
  ): Promise<void> {
    const { endpoint } = request;
    const probeRequest = { ...request, question, urgency: request.urgency.isUrgent() ? urgent : forDailyRun };
    probing.add(endpoint);
    try {
      const limits = { excludedAddresses: new Set<Address>(), maxWaitMs };
      const slot = await schedulers[endpoints[endpoint].budget].acquire({ ...probeRequest, ...limits });
      await attemptInSpan(endpoint, () => attemptOnce(probeRequest, slot, attempt));
    } catch {
      // The requests that wait for the probe get their own error.
    } finally {
      probing.delete(endpoint);
    }
  }

  function canCall(endpoint: Endpoint, question: Question): boolean {
    return addresses.some((address) => breakers.isUsable(endpoint, address, question));
  }

  async function attemptOnce<Answer>(
    { endpoint, question, signal, requestId }: StoreRequest,
    { address, breakerCall }: CallSlot,
    attempt: (attempt: Attempt) => Promise<Answer>,
  ): Promise<Answer> {
    const startedAtMs = nowMs();
    let failure: StoreFailure | null = null;
    try {
      const answer = await attempt({ dispatcher: address.dispatcher, signal });
      breakerCall.succeed();
      answeredQuestions.add(endpoint, { question, attempt });
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
      observer.onCall({ endpoint, question, requestId, outcome, failure, ms: nowMs() - startedAtMs });
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
    const { endpoint, question } = request;
    const { store } = endpoints[endpoint];
    const remembered = await failedQuestions.find(endpoint, question);
    if (remembered) {
      observer.onRefused({ endpoint, reason: 'failed_before' });
      throw storeFetchFailed(store, remembered);
    }
    try {
      return await callWithRetries(request, attempt);
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      failedQuestions.remember(endpoint, question, error);
      throw storeFetchFailed(store, error);
    }
  };
}
