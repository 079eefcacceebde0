import { AppError } from '@shelfwise/runtime/errors';
import { StoreFailure } from '../sources/store-failure.ts';
import type { Address } from './addresses.ts';
import type { Budget, Endpoint } from './ask-store.ts';
import type { BreakerCall } from './breaker.ts';
import type { Breakers } from './breakers.ts';
import type { Buckets } from './buckets.ts';
import type { Clock } from './clock.ts';
import { createWaitingLines, urgencyName } from './priority-queue.ts';
import { type Bucket, isBelievable, mayTakeAtMs } from './token-bucket.ts';
import type { Urgency } from './urgency.ts';

/** The right to make one call, through one address. */
export type Turn = { address: Address; call: BreakerCall };

export type TurnRequest = {
  endpoint: Endpoint;
  urgency: Urgency;
  signal: AbortSignal;
  /** Addresses that are not wanted; at least one is. */
  not: ReadonlySet<Address>;
  /** How long to wait from now on; asked once more when it becomes urgent. */
  limitMs(): number;
};

export type TurnsDeps = {
  budget: Budget;
  perMinute: number;
  addresses: readonly Address[];
  buckets: Buckets;
  breakers: Breakers;
  clock: Clock;
  /** Told of every turn that is given. */
  onTurn(turn: { budget: Budget; isUrgent: boolean; waitedMs: number }): void;
};

type Waiter = Pick<TurnRequest, 'endpoint' | 'not' | 'limitMs'> & {
  isUrgent: boolean;
  /** Order of arrival */
  place: number;
  grant(turn: Turn): void;
  refuse(error: unknown): void;
};

/** A waiter who is first in a line and an address that may take the call, from `atMs` on. */
type Match = { waiter: Waiter; address: Address; atMs: number };

export type Turns = ReturnType<typeof createTurns>;

/** More of one urgency wait in vain: at 6,000 calls a minute they would be two minutes' work. */
const longestLine = 10_000;

/**
 * Gives the calls of one budget to those who want them: whoever waits goes before the daily run, and first come is
 * first served among those who can use the same addresses: who cannot use the only one with calls left, because the
 * endpoint rests there or because it is not wanted, holds up nobody else. Given is a turn as soon as an address has a call left, the address with most of
 * them first. Nobody who has left costs a call; only if all have left while the database is being asked is it lost.
 */
export function createTurns(deps: TurnsDeps) {
  const { budget, perMinute, addresses, buckets, breakers, clock } = deps;
  const lines = createWaitingLines<Waiter>();
  /** When each address's bucket will be full, as last heard: other processes may have made it later. */
  const fullAtMs = new Map<Address, number>();
  let arrivals = 0;
  let isServing = false;
  let wake = () => {};
  let isStopped = false;

  /** Gives turns until nobody waits. */
  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    try {
      for (let match = findMatch(); match !== null; match = findMatch()) {
        const waitMs = match.atMs - nowMs();
        if (waitMs > 0) await nap(waitMs);
        else await takeAndGrant(match);
      }
    } catch (error) {
      refuseAll(error);
    } finally {
      isServing = false;
    }
  }

  function refuseAll(error: unknown): void {
    for (const line of lines.all()) for (const waiter of line) waiter.refuse(error);
  }

  /** The next call: one that can be made now, or else the one that can be made first. */
  function findMatch(): Match | null {
    let best: Match | null = null;
    for (const waiter of firstInLine()) {
      for (const address of addresses) {
        if (waiter.not.has(address)) continue;
        const match = { waiter, address, atMs: atMs(waiter, address) };
        if (best === null || comesBefore(match, best)) best = match;
      }
    }
    return best;
  }

  function comesBefore(a: Match, b: Match): boolean {
    const now = nowMs();
    if (a.atMs > now || b.atMs > now) return a.atMs < b.atMs;
    if (a.waiter.isUrgent !== b.waiter.isUrgent) return a.waiter.isUrgent;
    if (a.waiter !== b.waiter) return a.waiter.place < b.waiter.place;
    return knownFullAtMs(a.address) < knownFullAtMs(b.address);
  }

  function atMs(waiter: Waiter, address: Address): number {
    const tokenAtMs = mayTakeAtMs(bucketOf(address), knownFullAtMs(address), waiter.isUrgent);
    return Math.max(tokenAtMs, breakers.of(waiter.endpoint, address).usableAtMs());
  }

  /** The first of each line. Those whose endpoint rests wherever they could go are told so at once. */
  function firstInLine(): Waiter[] {
    const firsts: Waiter[] = [];
    for (const line of lines.all()) {
      for (const waiter of line) {
        const resting = restingFor(waiter);
        if (!resting) {
          firsts.push(waiter);
          break;
        }
        waiter.refuse(resting);
      }
    }
    return firsts;
  }

  async function takeAndGrant({ waiter, address }: Match): Promise<void> {
    const { isUrgent } = waiter;
    const { isTaken, fullAt } = await buckets.take(bucketOf(address), isUrgent);
    fullAtMs.set(address, fullAt.getTime());
    if (!isTaken) return;
    const next = whoMayUse(address, isUrgent);
    next?.grant({ address, call: breakers.of(next.endpoint, address).enter() });
  }

  /** Things may have changed while the call was being taken. What was left for the urgent is not the daily run's. */
  function whoMayUse(address: Address, isForUrgentOnly: boolean): Waiter | undefined {
    return firstInLine()
      .filter(({ isUrgent }) => isUrgent || !isForUrgentOnly)
      .filter(({ endpoint, not }) => !not.has(address) && breakers.isUsable(endpoint, address))
      .sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent) || a.place - b.place)[0];
  }

  function nap(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = clock.after(Math.ceil(ms), resolve);
      wake = () => {
        stop();
        resolve();
      };
    });
  }

  function enter(request: TurnRequest): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const begunAtMs = nowMs();
      const waiter: Waiter = {
        endpoint: request.endpoint,
        not: new Set(request.not),
        limitMs: () => request.limitMs(),
        isUrgent: request.urgency.isUrgent(),
        place: arrivals++,
        grant(turn) {
          leave();
          deps.onTurn({ budget, isUrgent: waiter.isUrgent, waitedMs: nowMs() - begunAtMs });
          resolve(turn);
        },
        refuse(error) {
          leave();
          reject(error);
        },
      };
      const giveUp = () => waiter.refuse(abandoned(request.signal));
      let stopLimit = limit(waiter);
      const stopListening = request.urgency.onUrgent(() => {
        takeOut(waiter);
        waiter.isUrgent = true;
        waiter.place = arrivals++;
        putIn(waiter);
        stopLimit();
        stopLimit = limit(waiter);
      });
      const leave = () => {
        stopLimit();
        stopListening();
        request.signal.removeEventListener('abort', giveUp);
        takeOut(waiter);
      };
      request.signal.addEventListener('abort', giveUp);
      putIn(waiter);
    });
  }

  function limit(waiter: Waiter): () => void {
    const limitMs = waiter.limitMs();
    return clock.after(limitMs, () => waiter.refuse(busy(`within ${Math.round(limitMs / 1000)} s`)));
  }

  function putIn(waiter: Waiter): void {
    lines.add(waiter);
    wake();
    void serve();
  }

  function takeOut(waiter: Waiter): void {
    lines.remove(waiter);
    wake();
  }

  function busy(when: string): StoreFailure {
    const where = addresses.length === 1 ? '' : ` on each of ${addresses.length} addresses`;
    const { urgent, daily } = lines.lengths();
    return new StoreFailure(
      'busy',
      `has no call left for this ${when}: its budget of ${perMinute} calls a minute${where} is spoken for (${urgent + daily} wait)`,
    );
  }

  function restingFor({ endpoint, not }: Pick<TurnRequest, 'endpoint' | 'not'>): StoreFailure | null {
    return breakers.restingOn(
      endpoint,
      addresses.filter((address) => !not.has(address)),
    );
  }

  const bucketOf = (address: Address): Bucket => ({ id: `${budget}:${address.label}`, perMinute });
  /** What cannot be true any more, the clock having been set back, is to be heard anew. */
  const knownFullAtMs = (address: Address) => {
    const [known, now] = [fullAtMs.get(address), nowMs()];
    return known !== undefined && isBelievable(bucketOf(address), known, now) ? known : now;
  };
  const nowMs = () => clock.now().getTime();

  return {
    budget,

    /**
     * Waits for a turn.
     * @throws StoreFailure `busy`, `resting` or `abandoned`; SERVICE_UNAVAILABLE when the budgets cannot be read, or
     *   after `stop`
     */
    async take(request: TurnRequest): Promise<Turn> {
      if (isStopped) throw stopping();
      if (request.signal.aborted) throw abandoned(request.signal);
      const resting = restingFor(request);
      if (resting) throw resting;
      if (lines.lengths()[urgencyName(request.urgency.isUrgent())] >= longestLine) throw busy('now');
      return enter(request);
    },

    /** To be called when a breaker may have changed. */
    lookAgain: () => wake(),

    /** Refuses all who wait and all who come. */
    stop() {
      isStopped = true;
      refuseAll(stopping());
    },

    /** How many wait. */
    waiting: () => ({ ...lines.lengths() }),
  };
}

function abandoned(signal: AbortSignal): StoreFailure {
  return new StoreFailure('abandoned', 'had not been asked when the call was given up', {
    cause: signal.reason,
  });
}

function stopping(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The service is stopping and asks no store any more. Try again.',
  );
}
