import { background } from '@shelfwise/runtime/concurrency/waiting-callers';
import type { createAnsweredQuestions } from '../store-health/answered-questions.ts';
import type { Breakers } from '../store-health/breakers.ts';
import type { Clock } from '../store-health/clock.ts';
import {
  type Address,
  type Attempt,
  type Budget,
  type Endpoint,
  endpoints,
} from '../store-health/endpoints.ts';
import type { FailedQuestions } from '../store-health/failed-questions.ts';
import { createProbes, type Probe } from '../store-health/probes.ts';
import type { Question } from '../store-health/question.ts';
import { retryBackoffMs } from '../store-health/retry-backoff.ts';
import { StoreFailure, storeFetchFailed } from '../store-health/store-failure.ts';
import { attemptInSpan, waitInSpan } from '../store-health/store-spans.ts';
import { createSuspectQuestions } from '../store-health/suspect-questions.ts';
import type { CallScheduler } from './call-scheduler.ts';
import type { CallSlot, SlotRequest } from './call-slot.ts';
import { forDailyRun, type Urgency, urgent } from './urgency.ts';

export type StoreRequest = {
  endpoint: Endpoint;
  question: Question;
  urgency: Urgency;
  /** Fires when the last caller has given up. */
  signal: AbortSignal;
  /** Of the request that started the read; for the log. */
  requestId?: string | undefined;
};

/**
 * Calls a store as soon as an outgoing address has budget left and the endpoint's breaker is closed there, with
 * retries. A question that the store lastingly fails to answer is not asked again for five minutes.
 * `attempt` makes one call. It rejects with a StoreFailure when the store could not be read, and with any other error
 * (APP_NOT_FOUND) when it could.
 * @throws STORE_FETCH_FAILED with the last StoreFailure as its cause, or what `attempt` threw
 */
export type CallWithBudget = <Answer>(
  request: StoreRequest,
  attempt: (attempt: Attempt) => Promise<Answer>,
) => Promise<Answer>;

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
  onRefused(call: { endpoint: Endpoint; reason: RefusalReason }): void;
};

export type CallWithBudgetDeps = {
  addresses: readonly Address[];
  schedulers: Readonly<Record<Budget, CallScheduler>>;
  breakers: Breakers;
  failedQuestions: FailedQuestions;
  answeredQuestions: ReturnType<typeof createAnsweredQuestions>;
  clock: Clock;
  /** 0 to 1 */
  random: () => number;
  observer: CallObserver;
};

/**
 * No attempt starts later than this after the request was made or became urgent. With 8 s for the answer
 * (STORE_TIMEOUT_MS) it ends within 33 s: the 35 s of an API call less the 2 s of `beforeDeadline`.
 */
const lastAttemptMs = 25_000;

/**
 * Each attempt needs its own call slot, on an address where the endpoint's breaker is closed. A retry prefers an
 * address on which the request has not failed, and never uses one that the store has refused.
 *
 * While the breaker is open, one question that the store has answered before is repeated as a probe. Requests wait for
 * it.
 */
export function createCallWithBudget(deps: CallWithBudgetDeps): {
  callWithBudget: CallWithBudget;
  /** To be called when another copy of the service has changed a breaker. */
  recheck(): void;
} {
  const { addresses, schedulers, breakers, failedQuestions, answeredQuestions, clock, random, observer } =
    deps;
  const nowMs = () => clock.now().getTime();
  const suspectQuestions = createSuspectQuestions({ failedQuestions, nowMs });
  const probes = createProbes({
    addresses,
    breakers,
    clock,
    answeredQuestions: answeredQuestions.list,
    askAgain,
  });

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
    probes.restoreAddresses({ request, maxWaitMs });
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
        if (error.kind === 'circuit_open' && (await probes.waitFor({ request, ...limits }))) continue;
        reportRefusal(request, error);
        throw error;
      }
    }
  }

  function reportRefusal({ endpoint }: StoreRequest, { kind }: StoreFailure): void {
    if (kind === 'budget_exhausted' || kind === 'circuit_open')
      observer.onRefused({ endpoint, reason: kind });
  }

  async function attemptOnce<Answer>(
    { endpoint, question, signal, requestId }: StoreRequest,
    { address, breakerCall }: CallSlot,
    attempt: (attempt: Attempt) => Promise<Answer>,
  ): Promise<Answer> {
    const startedAtMs = nowMs();
    const outcomeOf = { endpoint, address, question, breaker: breakers.get(endpoint, address) };
    let failure: StoreFailure | null = null;
    try {
      const answer = await attempt({ dispatcher: address.dispatcher, signal });
      breakerCall.succeed();
      suspectQuestions.succeeded(outcomeOf);
      answeredQuestions.add(endpoint, { question, attempt });
      return answer;
    } catch (error) {
      // Any other error, such as APP_NOT_FOUND, comes from a readable answer.
      if (!(error instanceof StoreFailure)) {
        breakerCall.succeed();
        suspectQuestions.succeeded(outcomeOf);
        throw error;
      }
      failure = error;
      if (error.kind === 'abandoned') breakerCall.abandon();
      else {
        breakerCall.fail(error);
        suspectQuestions.failed(outcomeOf, error);
        answeredQuestions.demote(endpoint, question);
      }
      throw error;
    } finally {
      const outcome = failure?.kind ?? 'ok';
      observer.onCall({ endpoint, question, requestId, outcome, failure, ms: nowMs() - startedAtMs });
      schedulers[endpoints[endpoint].budget].recheck();
      probes.notify(endpoint);
    }
  }

  /** Asks the question on behalf of no caller, once. The breaker keeps the outcome. */
  async function askAgain(
    request: StoreRequest,
    { address, answered: { question, attempt }, maxWaitMs }: Probe,
  ): Promise<boolean> {
    const probeRequest = { ...request, question, urgency: request.urgency.isUrgent() ? urgent : forDailyRun };
    const excludedAddresses = new Set(addresses.filter((each) => each !== address));
    let slot: CallSlot;
    try {
      const { budget } = endpoints[request.endpoint];
      slot = await schedulers[budget].acquire({ ...probeRequest, excludedAddresses, maxWaitMs });
    } catch {
      // The requests that wait for the probe get their own error.
      return false;
    }
    await attemptInSpan(request.endpoint, () => attemptOnce(probeRequest, slot, attempt)).catch(() => {});
    return true;
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

  const callWithBudget: CallWithBudget = async (unmarked, attempt) => {
    const { endpoint } = unmarked;
    const question = {
      ...unmarked.question,
      callers: callersOf(unmarked.urgency),
      isAnswered: answeredQuestions.has(endpoint, unmarked.question),
    };
    const request = { ...unmarked, question };
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

  return { callWithBudget, recheck: () => probes.notify() };
}

/** The accounts that wait now. Work without an account counts as a caller, and so does the daily run. */
function callersOf({ callers, isUrgent }: Urgency): string[] {
  const work = isUrgent() ? 'work without an account' : 'daily run';
  return callers.ids().map((id) => (id === background ? work : `account ${id}`));
}
