import { randomUUID } from 'node:crypto';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import { isDatabaseFailure } from '@shelfwise/runtime/mongo/database-errors';
import type { CappedItem, ReservedPlacesStore } from './stores/reserved-places-store.ts';

/**
 * How long the places of a call that crashed stay reserved. A call that takes longer is admitted too, unless its rows
 * are then over the cap.
 */
const reservedMs = 10_000;
/** How long a call waits when it depends on what other calls do with their places. */
const maxWaitMs = 2000;
const waitStepMs = 20;

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

export type PlanPlaces = ReturnType<typeof createPlanPlaces>;

/**
 * Keeps plan caps exact over all copies of the service. Rows are the truth: a call counts them, reserves places for what
 * it writes, writes, and releases the places. The number of rows and reserved places never exceeds the cap, because a
 * reservation fails when another one was made since the count. A crash leaves reserved places for 10 s. If a call stood
 * still so long that its places were given to another call, it takes its rows back when they are too many.
 *
 * Without a cap it costs nothing.
 */
export function createPlanPlaces(deps: {
  reservedPlaces: ReservedPlacesStore;
  now: () => Date;
  sleep: Sleep;
}) {
  const { reservedPlaces, now, sleep } = deps;

  /** The reservation; null when the account has no room. */
  async function reserve(request: Request, cap: number): Promise<{ id: string; granted: number } | null> {
    const { accountId, item, wanted, countRows, signal } = request;
    const id = randomUUID();
    for (let waitedMs = 0; ; ) {
      signal.throwIfAborted();
      const { version, reserved } = await reservedPlaces.find(accountId, item);
      // After the reservations were read: a row that is written later still has its reservation there.
      const rows = await countRows();
      if (rows >= cap) return null;
      const all = Object.entries(reserved);
      const expiredIds = all.filter(([, { expires_at: at }]) => at <= now()).map(([expired]) => expired);
      const pending = all
        .filter(([key]) => !expiredIds.includes(key))
        .reduce((sum, [, { count }]) => sum + count, 0);
      const granted = Math.min(wanted, cap - rows - pending);
      // Rows of pending calls may be counted twice, and pending calls may fail: their end shows how much room is left.
      const mayHaveMore = granted < wanted && pending > 0 && waitedMs < maxWaitMs;
      if (mayHaveMore) {
        await sleep(waitStepMs, signal);
        waitedMs += waitStepMs;
      } else if (granted <= 0) return null;
      else {
        const reservation = { count: granted, expires_at: new Date(now().getTime() + reservedMs) };
        if (await reservedPlaces.reserve(accountId, item, { version, id, reservation, expiredIds }))
          return { id, granted };
      }
    }
  }

  return {
    /** Writes rows if the account has room for at least one; returns null when it has none. */
    async write<Result>(request: Request, { write, undo }: Work<Result>): Promise<Result | null> {
      const { accountId, item, cap, countRows } = request;
      if (cap === null) return write(request.wanted);
      const place = await reserve(request, cap);
      if (!place) return null;
      let written: Result;
      try {
        written = await write(place.granted);
      } catch (error) {
        // A write that the database did not confirm may still happen. Its places expire later.
        if (!isDatabaseFailure(error)) await reservedPlaces.release(accountId, item, place.id);
        throw error;
      }
      const isInTime = await reservedPlaces.release(accountId, item, place.id);
      if (isInTime || (await countRows()) <= cap) return written;
      await undo(written);
      return null;
    },
  };
}
