import { randomUUID } from 'node:crypto';
import type { Sleep } from '../concurrency/sleep.ts';
import { isDatabaseFailure } from './database-errors.ts';
import type { Reservation, ReservationStore } from './reservation-store.ts';

/** How long the reservation of a call that crashed stays. A call that takes longer keeps its rows if they fit. */
const reservedMs = 10_000;
/** How long a call waits when it depends on what other calls do with their reservations. */
const maxWaitMs = 2000;
/** The first of the pauses between two looks; each is twice as long as the one before, up to the longest. */
const firstPauseMs = 20;
const longestPauseMs = 320;

type Request = {
  accountId: string;
  /** What is capped: `notes 42`. */
  item: string;
  /** The most rows; null: there is no cap. */
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
   * Says why fewer rows were written than wanted. True: the account's rows reach the cap. False: other calls have
   * reserved the rest, for rows that may not come. The same call may then succeed later.
   */
  isFull: boolean;
};

export type CapReservations = ReturnType<typeof createCapReservations>;

/**
 * Keeps caps exact over all copies of the service. Rows are the truth: a call counts them, reserves room, writes,
 * and releases its reservation. Rows and reservations together never exceed the cap: a reservation fails when another
 * one was made since the count.
 *
 * A crash, or a write that the database did not confirm, leaves a reservation for 10 s. A call that outlived its
 * reservation removes its rows again if the cap could be exceeded. Without a cap it costs nothing.
 */
export function createCapReservations(deps: {
  reservations: ReservationStore;
  now: () => Date;
  sleep: Sleep;
}) {
  const { reservations, now, sleep } = deps;

  /** Reserves room for as many rows as it can, perhaps none. */
  async function reserve(
    request: Request,
    cap: number,
  ): Promise<{ id: string; granted: number; isFull: boolean }> {
    const { accountId, item, wanted, countRows, signal } = request;
    const id = randomUUID();
    for (let waitedMs = 0, pauseMs = firstPauseMs; ; ) {
      signal.throwIfAborted();
      const { version, reserved } = await reservations.find(accountId, item);
      // After the reservations were read: a row that is written later still has its reservation there.
      const rows = await countRows();
      if (rows >= cap) return { id, granted: 0, isFull: true };
      const all = Object.entries(reserved);
      const expiredIds = all.filter(([, { expires_at: at }]) => at <= now()).map(([expired]) => expired);
      const pending = countReserved(all.filter(([key]) => !expiredIds.includes(key)));
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
        if (await reservations.reserve(accountId, item, { version, id, reservation, expiredIds }))
          return { id, granted, isFull: rows + granted >= cap };
      }
    }
  }

  /**
   * True if all rows, plus every open reservation, fit under the cap. Expired ones count: their call may still finish.
   * If they fit, calls that counted without these rows must count again.
   */
  async function mayStay({ accountId, item, countRows }: Request, cap: number): Promise<boolean> {
    for (;;) {
      const { version, reserved } = await reservations.find(accountId, item);
      if ((await countRows()) + countReserved(Object.entries(reserved)) > cap) return false;
      if (await reservations.outdate(accountId, item, version)) return true;
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
        // A write that the database did not confirm may still happen. Its reservation expires later.
        if (!isDatabaseFailure(error)) await reservations.release(accountId, item, id);
        throw error;
      }
      const isInTime = await reservations.release(accountId, item, id);
      if (isInTime || (await mayStay(request, cap))) return { written, isFull };
      await undo(written);
      return { written: null, isFull: (await countRows()) >= cap };
    },
  };
}

function countReserved(reservations: readonly [id: string, reservation: Reservation][]): number {
  return reservations.reduce((sum, [, { count }]) => sum + count, 0);
}
