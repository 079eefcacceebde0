import { randomUUID } from 'node:crypto';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { isDatabaseFailure } from '@shelfwise/runtime/mongo/database-errors';
import type { CappedItem, Reservation, ReservedPlacesStore } from '../stores/reserved-places-store.ts';

/**
 * How long the places of a call that crashed stay reserved. A call that takes longer is admitted too, unless its rows
 * are then over the cap.
 */
const reservedMs = 10_000;
/** How long a call waits when it depends on what other calls do with their places. */
const maxWaitMs = 2000;
/** The first of the pauses between two looks; each is twice as long as the one before, up to the longest. */
const firstPauseMs = 20;
const longestPauseMs = 320;

type Request = {
  accountId: string;
  item: CappedItem;
  /** The plan's cap; null: there is none. */
  cap: number | null;
  /** How many rows the call would like to write, at least 1. */
  wanted: number;
  /** The rows that count towards the cap. */
  countRows: () => Promise<number>;
  signal: AbortSignal;
};

type Work<Result> = {
  /** Writes up to `granted` rows, which is 1 to `wanted`. */
  write(granted: number): Promise<Result>;
  /** Takes the written rows back. */
  undo(written: Result): Promise<void>;
};

type Outcome<Result> = {
  /** Null when no row was written. */
  written: Result | null;
  /**
   * Says why fewer rows were written than wanted. True: the account's rows reach the cap. False: other calls have reserved
   * the remaining places, for rows that may not come, so that the same call may succeed later.
   */
  isFull: boolean;
};

export type PlanPlaces = ReturnType<typeof createPlanPlaces>;

/**
 * Keeps plan caps exact over all copies of the service. Rows are the truth: a call counts them, reserves places for what
 * it writes, writes, and releases the places. The number of rows and reserved places never exceeds the cap, because a
 * reservation fails when another one was made since the count. A crash, or a write that the database did not confirm,
 * leaves reserved places for 10 s: until then it is not known whether they are free. If a call was paused for so long that
 * its places were given to another call, it takes its rows back when they could be too many.
 *
 * Without a cap it costs nothing.
 */
export function createPlanPlaces(deps: {
  reservedPlaces: ReservedPlacesStore;
  now: () => Date;
  sleep: Sleep;
}) {
  const { reservedPlaces, now, sleep } = deps;

  /** Reserves as many places as it can, perhaps none. */
  async function reserve(
    request: Request,
    cap: number,
  ): Promise<{ id: string; granted: number; isFull: boolean }> {
    const { accountId, item, wanted, countRows, signal } = request;
    const id = randomUUID();
    for (let waitedMs = 0, pauseMs = firstPauseMs; ; ) {
      signal.throwIfAborted();
      const { version, reserved } = await reservedPlaces.find(accountId, item);
      // After the reservations were read: a row that is written later still has its reservation there.
      const rows = await countRows();
      if (rows >= cap) return { id, granted: 0, isFull: true };
      const all = Object.entries(reserved);
      const expiredIds = all.filter(([, { expires_at: at }]) => at <= now()).map(([expired]) => expired);
      const pending = countPlaces(all.filter(([key]) => !expiredIds.includes(key)));
      const granted = Math.max(0, Math.min(wanted, cap - rows - pending));
      // Rows of pending calls may be counted twice, and pending calls may fail: their end shows how much room is left.
      const mayHaveMore = granted < wanted && pending > 0 && waitedMs < maxWaitMs;
      if (mayHaveMore) {
        await sleep(pauseMs, signal);
        waitedMs += pauseMs;
        pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      } else if (granted === 0) return { id, granted, isFull: false };
      else {
        const reservation = { count: granted, expires_at: new Date(now().getTime() + reservedMs) };
        if (await reservedPlaces.reserve(accountId, item, { version, id, reservation, expiredIds }))
          return { id, granted, isFull: rows + granted >= cap };
      }
    }
  }

  /**
   * Whether written rows that have no reservation any more fit under the cap, together with those that other calls may
   * still write: expired places count, because the call that reserved them keeps its rows as long as the reservation
   * exists. If they fit, calls that have counted without these rows must count again.
   */
  async function mayStay({ accountId, item, countRows }: Request, cap: number): Promise<boolean> {
    for (;;) {
      const { version, reserved } = await reservedPlaces.find(accountId, item);
      if ((await countRows()) + countPlaces(Object.entries(reserved)) > cap) return false;
      if (await reservedPlaces.outdate(accountId, item, version)) return true;
    }
  }

  return {
    /** Writes rows if the account has room for at least one. */
    async write<Result>(request: Request, { write, undo }: Work<Result>): Promise<Outcome<Result>> {
      const { accountId, item, cap, countRows } = request;
      if (cap === null) return { written: await write(request.wanted), isFull: false };
      const { id, granted, isFull } = await reserve(request, cap);
      if (granted === 0) return { written: null, isFull };
      let written: Result;
      try {
        written = await write(granted);
      } catch (error) {
        // A write that the database did not confirm may still happen. Its places expire later.
        if (!isDatabaseFailure(error)) await reservedPlaces.release(accountId, item, id);
        throw error;
      }
      const isInTime = await reservedPlaces.release(accountId, item, id);
      if (isInTime || (await mayStay(request, cap))) return { written, isFull };
      await undo(written);
      return { written: null, isFull: (await countRows()) >= cap };
    },
  };
}

function countPlaces(reservations: readonly [id: string, reservation: Reservation][]): number {
  return reservations.reduce((sum, [, { count }]) => sum + count, 0);
}
