import type { ServiceName } from '../clients.ts';
import { createServicePlaces, type Place } from './service-places.ts';

export type Places = ReturnType<typeof createPlaces>;

/**
 * The places of the calls in progress of each service.
 * @param monotonicMs never goes back, in ms
 */
export function createPlaces(monotonicMs: () => number) {
  const create = () => createServicePlaces({ monotonicMs });
  const services: Record<ServiceName, ReturnType<typeof create>> = {
    tracking: create(),
    scoring: create(),
    'store-fetch': create(),
    niche: create(),
    chart: create(),
  };

  return {
    /** A place with each of the services, or the first service that has none left. */
    take(names: readonly ServiceName[], accountId: string): { place: Place } | { full: ServiceName } {
      const taken: Place[] = [];
      for (const name of names) {
        const place = services[name].take(accountId);
        if (place !== null) taken.push(place);
        else {
          for (const one of taken) one.free();
          return { full: name };
        }
      }
      return { place: taken.length === 1 && taken[0] ? taken[0] : joinPlaces(taken) };
    },
    /** How many calls of each service may be in progress. */
    limits: (): Record<string, number> =>
      Object.fromEntries(Object.entries(services).map(([name, { limit }]) => [name, limit()])),
  };
}

function joinPlaces(places: readonly Place[]): Place {
  return {
    start() {
      for (const place of places) place.start();
    },
    answer() {
      for (const place of places) place.answer();
    },
    free() {
      for (const place of places) place.free();
    },
  };
}
