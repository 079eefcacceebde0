import type { ServiceName } from '../clients.ts';
import { createPlaceLimit, type PlaceLimit } from './place-limit.ts';
import { createServicePlaces, type Place, type ServicePlaces } from './service-places.ts';

/** Calls of all services in progress; more when more were answered in a second lately. */
const calmTotal = 125;

export type Places = ReturnType<typeof createPlaces>;

/**
 * The places of the calls in progress of each service, and of all together: services on one machine slow each other down.
 * @param monotonicMs never goes back, in ms
 */
export function createPlaces(monotonicMs: () => number) {
  const limits = {
    tracking: createPlaceLimit(),
    scoring: createPlaceLimit(),
    'store-fetch': createPlaceLimit(),
    niche: createPlaceLimit(),
    chart: createPlaceLimit(),
  } satisfies Record<ServiceName, PlaceLimit>;
  const bestPerSecond = () => Object.values(limits).reduce((sum, limit) => sum + limit.bestPerSecond(), 0);
  const all = createServicePlaces({
    monotonicMs,
    limit: {
      current: () => Math.max(calmTotal, bestPerSecond()),
      onRefusal() {},
      onAnswer() {},
    },
  });
  const create = (name: ServiceName) => createServicePlaces({ monotonicMs, limit: limits[name] });
  const services: Record<ServiceName, ServicePlaces> = {
    tracking: create('tracking'),
    scoring: create('scoring'),
    'store-fetch': create('store-fetch'),
    niche: create('niche'),
    chart: create('chart'),
  };
  const poolsOf = (names: readonly ServiceName[]) => [
    { name: 'all' as const, places: all },
    ...names.map((name) => ({ name, places: services[name] })),
  ];

  return {
    /** What has no place left for the account, if anything has none. */
    findFull: (names: readonly ServiceName[], accountId: string): ServiceName | 'all' | undefined =>
      poolsOf(names).find(({ places }) => !places.hasRoom(accountId))?.name,
    /** A place with all services together and with each of these, or what has none left. */
    take(names: readonly ServiceName[], accountId: string): { place: Place } | { full: ServiceName | 'all' } {
      const taken: Place[] = [];
      for (const { name, places } of poolsOf(names)) {
        const place = places.take(accountId);
        if (place === null) {
          joinPlaces(taken).free();
          return { full: name };
        }
        taken.push(place);
      }
      return { place: joinPlaces(taken) };
    },
    /** How many calls of each service may be in progress. */
    limits: (): Record<string, number> =>
      Object.fromEntries(Object.entries(services).map(([name, { limit }]) => [name, limit()])),
  };
}

function joinPlaces(places: readonly Place[]): Place {
  return {
    answer(hasWaited) {
      for (const place of places) place.answer(hasWaited);
    },
    free() {
      for (const place of places) place.free();
    },
  };
}
