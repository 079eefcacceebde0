import { StoreFailure } from '../store-failure.ts';
import type { Address } from './addresses.ts';
import { type Breaker, createBreaker, type OpenState } from './breaker.ts';
import { type Endpoint, endpoints } from './endpoints.ts';

export type Breakers = ReturnType<typeof createBreakers>;

/** One breaker per endpoint and outgoing address. */
export function createBreakers(addresses: readonly Address[], now: () => Date) {
  const breakers = new Map<Endpoint, Map<Address, Breaker>>();
  for (const endpoint of Object.keys(endpoints) as Endpoint[])
    breakers.set(endpoint, new Map(addresses.map((address) => [address, createBreaker(now)])));

  function get(endpoint: Endpoint, address: Address): Breaker {
    const breaker = breakers.get(endpoint)?.get(address);
    if (!breaker) throw new Error(`no breaker for ${endpoint} on ${address.label}`);
    return breaker;
  }

  return {
    get,

    isUsable: (endpoint: Endpoint, address: Address) =>
      get(endpoint, address).usableAtMs() <= now().getTime(),

    /** The failure when the breakers of all these addresses are open; null when a call can go through one of them. */
    circuitOpenFailure(endpoint: Endpoint, candidates: readonly Address[] = addresses): StoreFailure | null {
      const openStates: OpenState[] = [];
      for (const address of candidates) {
        const breaker = get(endpoint, address);
        const openState = breaker.openState();
        if (!openState || breaker.usableAtMs() <= now().getTime()) return null;
        openStates.push(openState);
      }
      return toFailure(openStates);
    },
  };
}

/** Names the breaker that lets a call through first. */
function toFailure(openStates: readonly OpenState[]): StoreFailure | null {
  const [soonest] = [...openStates].sort((a, b) => untilMs(a) - untilMs(b));
  if (!soonest) return null;
  const until = soonest.until === null ? 'while one call probes it' : `until ${toTime(soonest.until)} UTC`;
  const calls =
    soonest.failures === 1
      ? 'the last call failed because'
      : `the last ${soonest.failures} calls failed, most recently because`;
  const { lastFailure } = soonest;
  const explain = (reason: string) => `is not called ${until}: ${calls} it ${reason}`;
  return new StoreFailure('circuit_open', explain(lastFailure.message), {
    cause: lastFailure,
    userMessage: explain(lastFailure.userMessage),
  });
}

function untilMs({ until }: OpenState): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Rounded up to the second, so that a call is possible at the time shown. */
function toTime(date: Date): string {
  return new Date(Math.ceil(date.getTime() / 1000) * 1000).toISOString().slice(11, 19);
}
