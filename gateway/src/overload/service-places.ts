import type { PlaceLimit } from './place-limit.ts';

/**
 * A call that has taken longer waits for a store or for a service that does not answer, and needs no place: the answers show
 * whether the service is busy.
 */
const longestMs = 3000;
/** Accounts that have another call in progress can take this share of the places. */
const shareOfBusyAccounts = 0.75;

export type ServicePlaces = ReturnType<typeof createServicePlaces>;

type TakenPlace = { accountId: string; takenAt: number };

/** A place of one call, which is free after three seconds at the latest. */
export type Place = {
  /**
   * The service has answered. How long that took decides on the limit.
   * @param hasWaited whether the call may have waited for a store
   */
  answer(hasWaited: boolean): void;
  free(): void;
};

/**
 * The places of the calls in progress of one service. The last of them are for accounts without a call in progress, so that those
 * with many calls cannot take all.
 */
export function createServicePlaces(deps: {
  monotonicMs: () => number;
  limit: Pick<PlaceLimit, 'current' | 'onRefusal' | 'onAnswer'>;
}) {
  const { monotonicMs, limit } = deps;
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

  /** False while too many calls are in progress. */
  function hasRoom(accountId: string): boolean {
    const now = monotonicMs();
    freeLong(now);
    const max = limit.current(now);
    const isBusy = takenByAccount.has(accountId);
    const isRoom = taken.size < (isBusy ? max * shareOfBusyAccounts : max);
    if (!isRoom) limit.onRefusal(now);
    return isRoom;
  }

  return {
    limit: () => limit.current(monotonicMs()),
    hasRoom,
    /** Null while too many calls are in progress. */
    take(accountId: string): Place | null {
      if (!hasRoom(accountId)) return null;
      const takenAt = monotonicMs();
      const place = { accountId, takenAt };
      taken.add(place);
      takenByAccount.set(accountId, (takenByAccount.get(accountId) ?? 0) + 1);
      return {
        answer(hasWaited) {
          const now = monotonicMs();
          limit.onAnswer({ ms: now - takenAt, now, taken: taken.size, hasWaited });
        },
        free: () => free(place),
      };
    },
  };
}
