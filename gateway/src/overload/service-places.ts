import { createPlaceLimit } from './place-limit.ts';

/**
 * A call that has taken longer waits for a store, or for a service that does not answer, and needs no place: the answers show
 * whether the service is busy.
 */
const longestMs = 3000;
/** The share of the places that accounts can take which have another call in progress. */
const shareOfBusyAccounts = 0.75;

export type ServicePlaces = ReturnType<typeof createServicePlaces>;

/** A place of one call, which is free after three seconds at the latest. */
export type Place = {
  /** The service has answered: from how long that took, the limit is derived. */
  answer(): void;
  free(): void;
};

/**
 * The places of the calls in progress of one service. The last of them are for accounts without a call in progress, so that those
 * with many calls cannot take all.
 */
export function createServicePlaces({ monotonicMs }: { monotonicMs: () => number }) {
  const limit = createPlaceLimit();
  /** In the order of their start. */
  const taken = new Set<{ accountId: string; startedAt: number }>();
  const takenByAccount = new Map<string, number>();

  function free(place: { accountId: string; startedAt: number }): void {
    if (!taken.delete(place)) return;
    const left = (takenByAccount.get(place.accountId) ?? 0) - 1;
    if (left > 0) takenByAccount.set(place.accountId, left);
    else takenByAccount.delete(place.accountId);
  }

  function freeLong(now: number): void {
    for (const place of taken) {
      if (now - place.startedAt < longestMs) return;
      free(place);
    }
  }

  return {
    limit: () => limit.current(monotonicMs()),
    /** Null while too many calls are in progress. */
    take(accountId: string): Place | null {
      const startedAt = monotonicMs();
      freeLong(startedAt);
      const own = takenByAccount.get(accountId) ?? 0;
      const max = limit.current(startedAt);
      if (taken.size >= (own === 0 ? max : max * shareOfBusyAccounts)) return null;
      const place = { accountId, startedAt };
      taken.add(place);
      takenByAccount.set(accountId, own + 1);
      return {
        answer() {
          const now = monotonicMs();
          limit.onAnswer(now - startedAt, now, taken.size);
        },
        free: () => free(place),
      };
    },
  };
}
