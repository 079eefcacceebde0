import { type Breaker, type BreakerBacking, createBreaker, type OpenState } from './breaker.ts';
import { type Address, type Endpoint, endpoints } from './endpoints.ts';
import { fromFailureFacts } from './failure-facts.ts';
import type { Question } from './question.ts';
import { StoreFailure } from './store-failure.ts';
import { timeOfDay } from './time-of-day.ts';

export type Breakers = ReturnType<typeof createBreakers>;

/**
 * One breaker per endpoint and outgoing address. `backingOf`: where its state is kept; default: in this process.
 * `answeredQuestions`: of the endpoint; one of them probes before any other question.
 */
export function createBreakers(
  addresses: readonly Address[],
  now: () => Date,
  backingOf?: (endpoint: Endpoint, address: Address) => BreakerBacking,
  answeredQuestions: (endpoint: Endpoint) => readonly Question[] = () => [],
) {
  const breakers = new Map<Endpoint, Map<Address, Breaker>>();
  for (const endpoint of Object.keys(endpoints) as Endpoint[])
    breakers.set(
      endpoint,
      new Map(
        addresses.map((address) => [
          address,
          createBreaker(now, backingOf?.(endpoint, address), () => answeredQuestions(endpoint)),
        ]),
      ),
    );

  function get(endpoint: Endpoint, address: Address): Breaker {
    const breaker = breakers.get(endpoint)?.get(address);
    if (!breaker) throw new Error(`no breaker for ${endpoint} on ${address.label}`);
    return breaker;
  }

  return {
    get,

    /** Whether a call can go through the address; with a question: a call for it. */
    isUsable: (endpoint: Endpoint, address: Address, question?: Question) =>
      get(endpoint, address).usableAtMs(question) <= now().getTime(),

    /**
     * Of the breakers of all addresses the one that lets a call through first. Null when one of them is closed: an open one stays
     * open until a probe succeeds, also without any call.
     */
    openState(endpoint: Endpoint): OpenState | null {
      const states = addresses.map((address) => get(endpoint, address).openState());
      const open = states.filter((state) => state !== null);
      return open.length < states.length ? null : findSoonest(open);
    },

    /**
     * The failure when the breakers of all these addresses are open; null when a call can go through one of them. With
     * a question: a call for it, which is no probe if its last call has failed.
     */
    circuitOpenFailure(
      endpoint: Endpoint,
      { candidates = addresses, question }: { candidates?: readonly Address[]; question?: Question } = {},
    ): StoreFailure | null {
      const openStates: OpenState[] = [];
      for (const address of candidates) {
        const breaker = get(endpoint, address);
        const openState = breaker.openState();
        if (!openState || breaker.usableAtMs(question) <= now().getTime()) return null;
        openStates.push(openState);
      }
      return toFailure(openStates, now());
    },
  };
}

/** Names the breaker that lets a call through first. */
function toFailure(openStates: readonly OpenState[], now: Date): StoreFailure | null {
  const soonest = findSoonest(openStates);
  if (!soonest) return null;
  const calls =
    soonest.failures === 1
      ? 'the last call failed because'
      : `the last ${soonest.failures} calls failed, most recently because`;
  const { lastFailure } = soonest;
  const explain = (reason: string) => `is not called ${describeEnd(soonest, now)}: ${calls} it ${reason}`;
  return new StoreFailure('circuit_open', explain(lastFailure.message), {
    cause: fromFailureFacts(lastFailure),
    userMessage: explain(lastFailure.userMessage),
  });
}

function findSoonest(openStates: readonly OpenState[]): OpenState | null {
  return [...openStates].sort((a, b) => untilMs(a) - untilMs(b))[0] ?? null;
}

function untilMs({ until }: OpenState): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** The open time may be over for all questions but the one that is refused. */
function describeEnd({ until }: OpenState, now: Date): string {
  if (until === null) return 'while one call probes it';
  return until > now ? `until ${timeOfDay(until)} UTC` : 'for this until another call has succeeded';
}
