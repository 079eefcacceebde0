import { StoreFailure, storeFetchFailed } from '../sources/store-failure.ts';
import type { Address } from './addresses.ts';
import { type AskStore, type Attempt, type Budget, type Endpoint, endpoints } from './ask-store.ts';
import type { Clock } from './clock.ts';
import { retryPauseMs } from './retry-pause.ts';
import type { Turn, Turns } from './turns.ts';

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
  clock: Clock;
  /** 0 to 1 */
  random: () => number;
  log: StoreLog;
};

/**
 * No try begins later than this after the question was put: with 8 s for the answer it fits into the 35 s that a
 * caller of the API is given, less the 2 s by which a store is given up earlier.
 */
const lastTryMs = 25_000;

/** Asks politely: each try in its turn and through an address that the endpoint does not rest on. */
export function createAskStore({ addresses, turns, clock, random, log }: AskStoreDeps): AskStore {
  async function ask<Answer>(
    question: Question,
    attempt: (attempt: Attempt) => Promise<Answer>,
  ): Promise<Answer> {
    const limitAtMs = nowMs() + lastTryMs;
    const failures: StoreFailure[] = [];
    const refusedOn = new Set<Address>();
    for (;;) {
      const turn = await takeTurn(question, { failures, not: refusedOn, limitMs: limitAtMs - nowMs() });
      try {
        return await attemptOnce(question, turn, attempt);
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error;
        failures.push(error);
        if (error.kind === 'blocked' || error.kind === 'captcha') refusedOn.add(turn.address);
        const pauseMs = retryPauseMs(failures, refusedOn.size < addresses.length, random);
        if (pauseMs === null || nowMs() + pauseMs >= limitAtMs) throw error;
        if (pauseMs > 0) await pause(pauseMs, question.signal);
      }
    }
  }

  /** A turn; or, when a retry gets none, what the store said before. */
  async function takeTurn(
    { endpoint, urgency, signal }: Question,
    { failures, not, limitMs }: { failures: StoreFailure[]; not: ReadonlySet<Address>; limitMs: number },
  ): Promise<Turn> {
    try {
      return await turns[endpoints[endpoint].budget].take({ endpoint, urgency, signal, not, limitMs });
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
