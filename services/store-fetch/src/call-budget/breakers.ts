import { StoreFailure } from '../sources/store-failure.ts';
import type { Address } from './addresses.ts';
import { type Endpoint, endpoints } from './ask-store.ts';
import { type Breaker, createBreaker, type Rest } from './breaker.ts';

export type Breakers = ReturnType<typeof createBreakers>;

/** One breaker per endpoint and outgoing address. */
export function createBreakers(addresses: readonly Address[], now: () => Date) {
  const breakers = new Map<Endpoint, Map<Address, Breaker>>();
  for (const endpoint of Object.keys(endpoints) as Endpoint[])
    breakers.set(endpoint, new Map(addresses.map((address) => [address, createBreaker(now)])));

  function of(endpoint: Endpoint, address: Address): Breaker {
    const breaker = breakers.get(endpoint)?.get(address);
    if (!breaker) throw new Error(`no breaker for ${endpoint} on ${address.label}`);
    return breaker;
  }

  return {
    of,

    isUsable: (endpoint: Endpoint, address: Address) => of(endpoint, address).usableAtMs() <= now().getTime(),

    /** Why an endpoint is asked on none of the addresses; null when it is asked on one of them. */
    restingOn(endpoint: Endpoint, wanted: readonly Address[] = addresses): StoreFailure | null {
      const rests: Rest[] = [];
      for (const address of wanted) {
        const breaker = of(endpoint, address);
        const rest = breaker.rest();
        if (!rest || breaker.usableAtMs() <= now().getTime()) return null;
        rests.push(rest);
      }
      return tellRest(rests);
    },
  };
}

function tellRest(rests: readonly Rest[]): StoreFailure | null {
  const [first] = [...rests].sort((a, b) => atMs(a) - atMs(b));
  if (!first) return null;
  const until =
    first.until === null ? 'while one call finds out how it is' : `until ${toTime(first.until)} UTC`;
  const calls = first.failures === 1 ? 'the last call' : `the last ${first.failures} calls`;
  return new StoreFailure(
    'resting',
    `is not asked ${until}: ${calls} failed, the last of them ${first.last.message}`,
    { cause: first.last },
  );
}

function atMs({ until }: Rest): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Rounded up to a second: at that time it is true. */
function toTime(date: Date): string {
  return new Date(Math.ceil(date.getTime() / 1000) * 1000).toISOString().slice(11, 19);
}
