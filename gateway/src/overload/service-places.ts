import { createPlaceLimit } from './place-limit.ts';

/**
 * A call that has taken longer waits for a store, for a service that does not answer, or for its own body, and needs no place: the
 * answers show whether the service is busy.
 */
const longestMs = 3000;
/** Accounts that have another call in progress can take this share of the places. */
const shareOfBusyAccounts = 0.75;

export type ServicePlaces = ReturnType<typeof createServicePlaces>;

type TakenPlace = { accountId: string; takenAt: number };

/** A place of one call, which is free after three seconds at the latest. */
export type Place = {
  /** The body of the call has arrived. */
  start(): void;
  /**
   * The service has answered. How long that took since the start decides on the limit.
   * @param hasWaited whether the call may have waited for a store
   */
  answer(hasWaited: boolean): void;
  free(): void;
};

/**
 * The places of the calls in progress of one service. The last of them are for accounts without a call in progress, so that those
 * with many calls cannot take all.
 */
export function createServicePlaces({ monotonicMs }: { monotonicMs: () => number }) {
  const limit = createPlaceLimit();
  /** The earliest first. */
  const taken = new Set<TakenPlace>();
  const takenByAccount = new Map<string, number>();

  function free(place: TakenPlace): void {
    if (!taken.delete(place)) return;
    const left = (takenByAccount.get(place.accountId) ?? 0) - 1;
    if (left > 0) takenByAccount.set(place.accountId, left);
    else takenByAccount.delete(place.accountId);
  }

  function freeLong(now: number): void {
    for (const place of taken) {
      if (now - place.takenAt < longestMs) return;
      free(place);
    }
  }

  return {
    limit: () => limit.current(monotonicMs()),
    bestPerSecond: limit.bestPerSecond,
    inProgress(): number {
      freeLong(monotonicMs());
      return taken.size;
    },
    /** Null while too many calls are in progress. */
    take(accountId: string): Place | null {
      const takenAt = monotonicMs();
      freeLong(takenAt);
      const own = takenByAccount.get(accountId) ?? 0;
      const max = limit.current(takenAt);
      if (taken.size >= (own === 0 ? max : max * shareOfBusyAccounts)) {
        limit.onRefusal(takenAt);
        return null;
      }
      const place = { accountId, takenAt };
      taken.add(place);
      takenByAccount.set(accountId, own + 1);
      let startedAt = takenAt;
      return {
        start() {
          startedAt = monotonicMs();
        },
        answer(hasWaited) {
          const now = monotonicMs();
          limit.onAnswer({ ms: now - startedAt, now, taken: taken.size, hasWaited });
        },
        free: () => free(place),
      };
    },
  };
}
