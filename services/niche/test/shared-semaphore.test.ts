import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createWaitingCallers, oneCaller } from '@shelfwise/runtime/concurrency/waiting-callers';
import { AppError } from '@shelfwise/runtime/errors';
import type { Connection } from 'mongoose';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import type { Slot } from '../src/analysis/own-analysis.ts';
import { createSharedSemaphore } from '../src/analysis/shared-semaphore.ts';
import { nicheSchema } from '../src/schema.ts';
import { createAnalysisQueueStore } from '../src/stores/analysis-queue-store.ts';

const database = useDatabase(nicheSchema);
let connection: Connection;
let clock: ManualClock;
beforeEach(async () => {
  ({ connection } = await database.take());
  clock = createManualClock('2026-03-10T12:00:00Z');
});

const { signal } = new AbortController();
setMaxListeners(0, signal);

/** Copies of the service on one database, where two analyses run, one of each account. */
function startCopies(
  count: number,
  options: { ofCaller?: number; waiting?: number; answersMs?: readonly number[] } = {},
) {
  const { ofCaller = 3, waiting = 20, answersMs = [] } = options;
  /** In the order in which they entered: name, and the account in whose turn. */
  const entered: string[] = [];
  const slots = new Map<string, Slot>();
  let openQueries = 0;
  const copies = Array.from({ length: count }, (_, index) => {
    const queues = createAnalysisQueueStore(connection);
    const queries = { find: 0, replace: 0 };
    let isDead = false;
    let isFrozen = false;
    const ifAlive = <Result>(result: () => Promise<Result>) => {
      if (isFrozen) return new Promise<Result>(() => {});
      if (isDead) return Promise.reject(new Error('the database does not answer'));
      openQueries += 1;
      return result().finally(() => {
        openQueries -= 1;
      });
    };
    const semaphore = createSharedSemaphore({
      store: 'ITUNES',
      queues: {
        find: (store) => {
          queries.find += 1;
          return ifAlive(() => queues.find(store));
        },
        replace: (...args) => {
          queries.replace += 1;
          return ifAlive(() => queues.replace(...args));
        },
      },
      limits: { running: 2, runningOfCaller: 1, ofCaller, waiting },
      newId: randomUUID,
      monotonicMs: clock.monotonicMs,
      sleep: clock.sleep,
      answerMs: answersMs[index] ?? 60_000,
    });
    const acquire = (name: string, callers = oneCaller(name.slice(0, 3))) =>
      semaphore.acquire(name, callers, signal).then((slot) => {
        if (!slot) throw new Error(`${name} is in the queue`);
        entered.push(`${name} for ${slot.callerId}`);
        slots.set(name, slot);
      });
    return {
      semaphore,
      queries,
      acquire,
      /** Its process ends, or stands still. */
      die: () => {
        isDead = true;
      },
      revive: () => {
        isDead = false;
      },
      /** Its connection to the database transmits nothing any more. */
      freeze: () => {
        isFrozen = true;
      },
    };
  });
  const release = async (name: string) => slots.get(name)?.release(null);
  /** Lets all copies look at the queue. */
  const lookAll = () => Promise.all(copies.map(({ semaphore }) => semaphore.idle()));
  /** Passes a second. Resolves when all copies pause again, or `isEnough`. */
  const passSecond = async (isEnough = () => false) => {
    const sleeping = clock.sleeping();
    clock.advance(1000);
    await until(() => isEnough() || (clock.sleeping() >= sleeping && openQueries === 0));
  };
  return {
    copies,
    entered,
    slots,
    release,
    lookAll,
    passSecond,
    names: () => entered.map((name) => name.slice(0, 5)),
  };
}

test('over three copies two run at a time, one of each account, and accounts are served in turn', async () => {
  const { copies, entered, release, lookAll, names } = startCopies(3);
  const all = ['ann 1', 'ann 2', 'ann 3', 'ben 1', 'ben 2', 'cat 1'];
  const waits: Promise<void>[] = [];
  for (const [index, name] of all.entries()) {
    const copy = copies[index % 3];
    if (copy) waits.push(copy.acquire(name));
    await copy?.semaphore.idle();
  }
  expect(entered).toEqual(['ann 1 for ann', 'ben 1 for ben']);
  for (const [index, name] of ['ben 1', 'ann 1', 'ben 2', 'ann 2'].entries()) {
    await release(name);
    await lookAll();
    await until(() => entered.length === 3 + index);
  }
  expect(names().slice(2)).toEqual(['ben 2', 'ann 2', 'cat 1', 'ann 3']);
  await release('cat 1');
  await release('ann 3');
  await Promise.all(waits);
  const stored = await connection.collection('analysis_queues').findOne({});
  expect(stored).toMatchObject({ entries: [], served: [] });
});

test('of one account three are admitted over two copies; a fourth is refused by both, and other accounts are not', async () => {
  const { copies, release } = startCopies(2);
  const [one, other] = copies as [(typeof copies)[0], (typeof copies)[0]];
  await one.acquire('ann 1');
  void other.acquire('ann 2');
  await other.semaphore.idle();
  void one.acquire('ann 3');
  await one.semaphore.idle();
  for (const { acquire } of copies)
    await expect(acquire('ann 4')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('Your account already has 3 niche analyses of this store under way'),
    });
  await other.acquire('ben 1');
  await release('ann 1');
  await release('ben 1');
});

test('50 calls of one account at once, over two copies, leave one running and two waiting', async () => {
  const { copies, entered } = startCopies(2);
  let refused = 0;
  for (let call = 0; call < 50; call++)
    copies[call % 2]?.acquire(`ann ${call}`).catch(() => {
      refused += 1;
    });
  await until(() => refused === 47);
  const sum = (count: 'running' | 'waiting') =>
    copies.reduce((all, { semaphore }) => all + semaphore[count](), 0);
  expect([entered.length, sum('running'), sum('waiting')]).toEqual([1, 1, 2]);
});

test('an account that joins a waiting analysis brings its turn, and does not count for it', async () => {
  const { copies, entered } = startCopies(2, { ofCaller: 2 });
  const [one, other] = copies as [(typeof copies)[0], (typeof copies)[0]];
  await one.acquire('ann 1');
  const { callers, join, leave } = createWaitingCallers();
  join('ann');
  void other.acquire('shared', callers);
  await other.semaphore.idle();
  join('ben');
  leave('ann');
  await until(() => entered.length === 2);
  expect(entered).toEqual(['ann 1 for ann', 'shared for ben']);
  void one.acquire('ann 2');
  await one.semaphore.idle();
  expect([one.semaphore.running(), one.semaphore.waiting()]).toEqual([1, 1]);
});

test('a full queue refuses further calls in every copy', async () => {
  const { copies } = startCopies(2, { waiting: 1 });
  const [one, other] = copies as [(typeof copies)[0], (typeof copies)[0]];
  await one.acquire('ann');
  await other.acquire('ben');
  void one.acquire('cat');
  await one.semaphore.idle();
  await expect(other.acquire('dan')).rejects.toMatchObject({
    message: expect.stringContaining('1 niche analyses of this store are already waiting'),
  });
});

test('a call that gives up leaves the queue of all copies', async () => {
  const { copies, release, names } = startCopies(2);
  const [one, other] = copies as [(typeof copies)[0], (typeof copies)[0]];
  await one.acquire('ann 1');
  const givingUp = new AbortController();
  const canceled = other.semaphore.acquire('ann 2', oneCaller('ann'), givingUp.signal);
  await other.semaphore.idle();
  void one.acquire('ann 3');
  await one.semaphore.idle();
  givingUp.abort(new Error('canceled'));
  await expect(canceled).rejects.toThrow('canceled');
  await other.semaphore.idle();
  await release('ann 1');
  await until(() => names().length === 2);
  expect(names()).toEqual(['ann 1', 'ann 3']);
});

test('the places of a copy that died are free after half a minute; one that stood still learns that it lost its slot', async () => {
  const { copies, entered, slots } = startCopies(2);
  const [dying, other] = copies as [(typeof copies)[0], (typeof copies)[0]];
  await dying.acquire('ann 1');
  void dying.acquire('ann 2');
  await dying.semaphore.idle();
  void other.acquire('ann 3');
  await other.semaphore.idle();
  dying.die();
  for (let second = 0; second < 29; second++) {
    clock.advance(1000);
    await other.semaphore.idle();
  }
  expect(entered).toEqual(['ann 1 for ann']);
  clock.advance(1000);
  await other.semaphore.idle();
  await until(() => entered.length === 2);
  expect(entered).toEqual(['ann 1 for ann', 'ann 3 for ann']);
  dying.revive();
  await dying.semaphore.idle();
  expect(slots.get('ann 1')?.lost.aborted).toBe(true);
  expect([dying.semaphore.running(), dying.semaphore.waiting()]).toEqual([0, 1]);
});

test.each(['die', 'freeze'] as const)(
  'a copy that cannot renew for half a minute gives its slot up, before another copy takes it (%s)',
  async (loseDatabase) => {
    const { copies, entered, slots, passSecond } = startCopies(2, { answersMs: [20] });
    const [cutOff, other] = copies as [(typeof copies)[0], (typeof copies)[0]];
    await cutOff.acquire('ann 1');
    void other.acquire('ann 2');
    await other.semaphore.idle();
    await until(() => clock.sleeping() === 2);
    cutOff[loseDatabase]();
    const lost = () => slots.get('ann 1')?.lost.aborted ?? false;
    for (let second = 0; !lost(); second++) {
      expect(second).toBeLessThan(32);
      expect(entered).toEqual(['ann 1 for ann']);
      await passSecond(lost);
    }
    for (let second = 0; entered.length === 1; second++) {
      expect(second).toBeLessThan(10);
      await passSecond(() => entered.length === 2);
    }
  },
);

test('the same analysis is not in two copies; the others learn how it failed', async () => {
  const { copies, slots } = startCopies(2);
  const [one, other] = copies as [(typeof copies)[0], (typeof copies)[0]];
  await one.acquire('ann 1');
  expect(await other.semaphore.acquire('ann 1', oneCaller('ben'), signal)).toBeNull();
  const { id } = await other.semaphore.find('ann 1');
  expect(id).not.toBeNull();
  await slots.get('ann 1')?.release(new AppError('ANALYSIS_FAILED', 'The App Store blocks us.'));
  expect(await other.semaphore.find('ann 1')).toEqual({
    id: null,
    failures: [{ id, code: 'ANALYSIS_FAILED', message: 'The App Store blocks us.' }],
  });
});

test('alone, a copy makes one query in 8 s; waiting for another copy, one in a second', async () => {
  const { copies, passSecond } = startCopies(2);
  const [one, other] = copies as [(typeof copies)[0], (typeof copies)[0]];
  await one.acquire('ann 1');
  void one.acquire('ann 2');
  await one.semaphore.idle();
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) await passSecond();
  };
  await until(() => clock.sleeping() === 1);
  const alone = { ...one.queries };
  await pass(24);
  expect([one.queries.find - alone.find, one.queries.replace - alone.replace]).toEqual([3, 3]);
  void other.acquire('ann 3');
  await other.semaphore.idle();
  await until(() => clock.sleeping() === 2);
  const before = { ...other.queries };
  await pass(24);
  expect(other.queries.find - before.find).toBeLessThanOrEqual(30);
  expect(other.queries.replace - before.replace).toBeLessThanOrEqual(6);
});
