import type { SlotLimit } from './slot-limit.ts';

/**
 * A call that has taken longer waits for a store or for a service that does not answer, and needs no slot: the answers show
 * whether the service is busy.
 */
const longestMs = 3000;
/** Accounts that have another call in progress can take this share of the slots. */
const shareOfBusyAccounts = 0.75;

export type ServiceSlots = ReturnType<typeof createServiceSlots>;

type TakenSlot = { accountId: string; takenAt: number };

/** A slot of one call, which is free after three seconds at the latest. */
export type Slot = {
  /**
   * The service has answered. How long that took decides on the limit.
   * @param hasWaited whether the call may have waited for a store
   */
  answer(hasWaited: boolean): void;
  free(): void;
};

/**
 * The slots of the calls in progress of one service. The last of them are for accounts without a call in progress, so that those
 * with many calls cannot take all.
 */
export function createServiceSlots(deps: {
  monotonicMs: () => number;
  limit: Pick<SlotLimit, 'current' | 'onRefusal' | 'onAnswer'>;
}) {
  const { monotonicMs, limit } = deps;
  /** The earliest first. */
  const taken = new Set<TakenSlot>();
  const takenByAccount = new Map<string, number>();

  function free(slot: TakenSlot): void {
    if (!taken.delete(slot)) return;
    const left = (takenByAccount.get(slot.accountId) ?? 0) - 1;
    if (left > 0) takenByAccount.set(slot.accountId, left);
    else takenByAccount.delete(slot.accountId);
  }

  function freeLong(now: number): void {
    for (const slot of taken) {
      if (now - slot.takenAt < longestMs) return;
      free(slot);
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
    take(accountId: string): Slot | null {
      if (!hasRoom(accountId)) return null;
      const takenAt = monotonicMs();
      const slot = { accountId, takenAt };
      taken.add(slot);
      takenByAccount.set(accountId, (takenByAccount.get(accountId) ?? 0) + 1);
      return {
        answer(hasWaited) {
          const now = monotonicMs();
          limit.onAnswer({ ms: now - takenAt, now, taken: taken.size, hasWaited });
        },
        free: () => free(slot),
      };
    },
  };
}
