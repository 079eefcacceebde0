import { StoreFailure, storeFetchFailed } from '../sources/store-failure.ts';
import type { Address } from './addresses.ts';
import { type AskStore, type Attempt, type Budget, type Endpoint, endpoints } from './ask-store.ts';
import type { Breakers } from './breakers.ts';
import type { Turn, TurnRequest, Turns } from './call-scheduler.ts';
import type { Clock } from './clock.ts';
import { retryPauseMs } from './retry-backoff.ts';

type Question = Parameters<AskStore>[0];

/** How calls went, for metrics and the health page. */
export type StoreLog = {
  /** One call was made; `outcome` is ok or the kind of failure. */
  onCall(call: { endpoint: Endpoint; outcome: string; ms: number }): void;
  /** None was made, because of the budget or because the endpoint rests. */
  onNotAsked(question: { endpoint: Endpoint; reason: 'busy' | 'resting' }): void;
};

export type AskStoreDeps = {
  addresses: readonly Address[];
  turns: Readonly<Record<Budget, Turns>>;
  breakers: Breakers;
  clock: Clock;
  /** 0 to 1 */
  random: () => number;
  log: StoreLog;
};

/**
 * No try begins later than this after the question was put, or became urgent: with 8 s for the answer it fits into the 35 s that a
 * caller of the API is given, less the 2 s by which a store is given up earlier.
 */
const lastTryMs = 25_000;

/** Asks politely: each try in its turn and through an address that the endpoint does not rest on. */
export function createAskStore(deps: AskStoreDeps): AskStore {
  const { addresses, turns, breakers, clock, random, log } = deps;

  async function ask<Answer>(
    question: Question,
    attempt: (attempt: Attempt) => Promise<Answer>,
  ): Promise<Answer> {
    let limitAtMs = nowMs() + lastTryMs;
    const limitMs = () => limitAtMs - nowMs();
    // Whoever joins then has as long to wait as anybody else.
    const stopListening = question.urgency.onUrgent(() => {
      limitAtMs = nowMs() + lastTryMs;
    });
    const failures: StoreFailure[] = [];
    const failedOn = new Set<Address>();
    const refusedOn = new Set<Address>();
    try {
      for (;;) {
        const not = hasOther(question.endpoint, failedOn) ? failedOn : refusedOn;
        const turn = await takeTurn(question, { failures, not, limitMs });
        try {
          return await attemptOnce(question, turn, attempt);
        } catch (error) {
          if (!(error instanceof StoreFailure)) throw error;
          failures.push(error);
          failedOn.add(turn.address);
          if (error.kind === 'blocked' || error.kind === 'captcha') refusedOn.add(turn.address);
          const pauseMs = retryPauseMs(failures, refusedOn.size < addresses.length, random);
          if (pauseMs === null || pauseMs >= limitMs()) throw error;
          if (pauseMs > 0) await pause(pauseMs, question.signal);
        }
      }
    } finally {
      stopListening();
    }
  }

  /** Whether the endpoint can be asked from another address than those on which it just failed: they may be to blame. */
  function hasOther(endpoint: Endpoint, failedOn: ReadonlySet<Address>): boolean {
    return addresses.some((address) => !failedOn.has(address) && breakers.isUsable(endpoint, address));
  }

  /** A turn; or, when a retry gets none, what the store said before. */
  async function takeTurn(
    { endpoint, urgency, signal }: Question,
    { failures, ...wanted }: { failures: StoreFailure[] } & Pick<TurnRequest, 'not' | 'limitMs'>,
  ): Promise<Turn> {
    try {
      return await turns[endpoints[endpoint].budget].take({ endpoint, urgency, signal, ...wanted });
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      const saidBefore = failures.at(-1);
      if (saidBefore) throw saidBefore;
      const { kind } = error;
      if (kind === 'busy' || kind === 'resting') log.onNotAsked({ endpoint, reason: kind });
      throw error;
    }
  }

  async function attemptOnce<Answer>(
    { endpoint, signal }: Question,
    { address, call }: Turn,
    attempt: (attempt: Attempt) => Promise<Answer>,
  ): Promise<Answer> {
    const begunAtMs = nowMs();
    let outcome = 'ok';
    try {
      const answer = await attempt({ dispatcher: address.dispatcher, signal });
      call.succeed();
      return answer;
    } catch (error) {
      if (!(error instanceof StoreFailure)) call.succeed();
      else {
        outcome = error.kind;
        if (error.kind === 'abandoned') call.leave();
        else call.fail(error);
      }
      throw error;
    } finally {
      log.onCall({ endpoint, outcome, ms: nowMs() - begunAtMs });
      turns[endpoints[endpoint].budget].lookAgain();
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

  return async (question, attempt) => {
    try {
      return await ask(question, attempt);
    } catch (error) {
      throw error instanceof StoreFailure
        ? storeFetchFailed(endpoints[question.endpoint].store, error)
        : error;
    }
  };
}
