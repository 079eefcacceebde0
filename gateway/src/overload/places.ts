import type { ServiceName } from '../clients.ts';
import { createServicePlaces, type Place } from './service-places.ts';

/** Calls of all services in progress; more when more were answered in a second lately. */
const calmTotal = 100;

export type Places = ReturnType<typeof createPlaces>;

/**
 * The places of the calls in progress of each service, and of all together: services on one machine slow each other down.
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
  const total = (figure: 'inProgress' | 'bestPerSecond') =>
    Object.values(services).reduce((sum, places) => sum + places[figure](), 0);

  return {
    /** A place with each of the services, or what has none left. */
    take(names: readonly ServiceName[], accountId: string): { place: Place } | { full: ServiceName | 'all' } {
      if (total('inProgress') >= Math.max(calmTotal, total('bestPerSecond'))) return { full: 'all' };
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
    answer(hasWaited) {
      for (const place of places) place.answer(hasWaited);
    },
    free() {
      for (const place of places) place.free();
    },
  };
}
