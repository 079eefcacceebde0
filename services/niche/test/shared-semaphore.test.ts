import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { untilAborted } from '@shelfwise/runtime/concurrency/until-aborted';
import { createWaitingCallers, oneCaller } from '@shelfwise/runtime/concurrency/waiting-callers';
import { AppError } from '@shelfwise/runtime/errors';
import type { Connection } from 'mongoose';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { useDatabase } from '../../../testing/use-database.ts';
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
function startCopies(count: number, options: { ofCaller?: number; answersMs?: readonly number[] } = {}) {
  const { ofCaller = 3, answersMs = [] } = options;
  /** In the order in which they entered: name, and the account in whose turn. */
  const entered: string[] = [];
  const ends = new Map<string, () => void>();
  const lost = new Set<string>();
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
      limits: { running: 2, runningOfCaller: 1, ofCaller, waiting: 20 },
      newId: randomUUID,
      monotonicMs: clock.monotonicMs,
      sleep: clock.sleep,
      answerMs: answersMs[index] ?? 60_000,
    });
    /** Runs an analysis until `end` is called or its entry is lost. */
    const run = (name: string, callers = oneCaller(name.slice(0, 3))) => {
      const work = (callerId: string, aborted: AbortSignal) => {
        entered.push(`${name} for ${callerId}`);
        aborted.addEventListener('abort', () => lost.add(name));
        return untilAborted(new Promise((resolve) => ends.set(name, () => resolve('done'))), aborted);
      };
      const result = semaphore.run(name, callers, signal, work);
      // Most tests end while analyses run or wait.
      result.catch(() => {});
      return result;
    };
    return {
      semaphore,
      queries,
      run,
      /** Resolves when the analysis has entered. */
      enter: async (name: string) => {
        void run(name);
        await until(() => ends.has(name));
      },
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
  const end = (name: string) => ends.get(name)?.();
  /** Lets all copies look at the queue. */
  const lookAll = () => Promise.all(copies.map(({ semaphore }) => semaphore.idle()));
  /** Passes a second. Resolves when all copies pause again, or `isEnough`. */
  const passSecond = async (isEnough = () => false) => {
    const sleeping = clock.sleeping();
    clock.advance(1000);
    await until(() => isEnough() || (clock.sleeping() >= sleeping && openQueries === 0));
  };
  const [one, other] = copies as [(typeof copies)[0], (typeof copies)[0]];
  return { copies, one, other, entered, lost, end, lookAll, passSecond };
}

test('over three copies two run at a time, one of each account, and accounts are served in turn', async () => {
  const { copies, entered, end, lookAll } = startCopies(3);
  const all = ['ann 1', 'ann 2', 'ann 3', 'ben 1', 'ben 2', 'cat 1'];
  const runs: Promise<unknown>[] = [];
  for (const [index, name] of all.entries()) {
    const copy = copies[index % 3];
    if (copy) runs.push(copy.run(name));
    await copy?.semaphore.idle();
  }
  expect(entered).toEqual(['ann 1 for ann', 'ben 1 for ben']);
  for (const [index, name] of ['ben 1', 'ann 1', 'ben 2', 'ann 2'].entries()) {
    end(name);
    await until(async () => (await lookAll()) && entered.length === 3 + index);
  }
  expect(entered.slice(2).map((name) => name.slice(0, 5))).toEqual(['ben 2', 'ann 2', 'cat 1', 'ann 3']);
  end('cat 1');
  end('ann 3');
  expect(await Promise.all(runs)).toEqual(all.map(() => 'done'));
  const stored = await connection.collection('analysis_queues').findOne({});
  expect(stored).toMatchObject({ entries: [], turns: [] });
});

test('50 calls of one account at once, over two copies, leave one running and two waiting', async () => {
  const { copies, entered } = startCopies(2);
  let refused = 0;
  for (let call = 0; call < 50; call++)
    copies[call % 2]?.run(`ann ${call}`).catch(() => {
      refused += 1;
    });
  await until(() => refused === 47);
  const sum = (count: 'running' | 'waiting') =>
    copies.reduce((all, { semaphore }) => all + semaphore[count](), 0);
  expect([entered.length, sum('running'), sum('waiting')]).toEqual([1, 1, 2]);
});

test('an account that joins a waiting analysis brings its turn, and does not count for it', async () => {
  const { one, other, entered } = startCopies(2, { ofCaller: 2 });
  await one.enter('ann 1');
  const { callers, join, leave } = createWaitingCallers();
  join('ann');
  void other.run('shared', callers);
  await other.semaphore.idle();
  join('ben');
  leave('ann');
  await until(() => entered.length === 2);
  expect(entered).toEqual(['ann 1 for ann', 'shared for ben']);
  void one.run('ann 2');
  await one.semaphore.idle();
  expect([one.semaphore.running(), one.semaphore.waiting()]).toEqual([1, 1]);
});

test('a copy starts an analysis of another one whose turn it is; the other one notices at its next look', async () => {
  const { one, other, entered, end } = startCopies(2);
  await one.enter('ann 1');
  void other.run('ann 2');
  await other.semaphore.idle();
  end('ann 1');
  const queues = createAnalysisQueueStore(connection);
  await until(async () => {
    const [entry] = (await queues.find('ITUNES')).entries;
    return entry?.key === 'ann 2' && entry.runs_for === 'ann';
  });
  expect(entered).toEqual(['ann 1 for ann']);
  await other.semaphore.idle();
  await until(() => entered.length === 2);
  expect(entered[1]).toBe('ann 2 for ann');
});

test('the entries of a copy that died are dropped after half a minute; one that stood still learns that it lost them', async () => {
  const { one: dying, other, entered, lost } = startCopies(2);
  await dying.enter('ann 1');
  const waiting = dying.run('ann 2');
  await dying.semaphore.idle();
  void other.run('ann 3');
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
  expect([...lost]).toEqual(['ann 1']);
  expect(await waiting).toBeNull();
  expect([dying.semaphore.running(), dying.semaphore.waiting()]).toEqual([0, 0]);
});

test('a failure that the database did not take is told once it answers again', async () => {
  const { one: failing, other } = startCopies(2);
  const failed = failing.semaphore.run('ann 1', oneCaller('ann'), signal, async () => {
    failing.die();
    throw new AppError('ANALYSIS_FAILED', 'The store does not answer.');
  });
  await expect(failed).rejects.toMatchObject({ code: 'ANALYSIS_FAILED' });
  const isTold = async () => (await other.semaphore.find('ann 1')).failures.length > 0;
  expect(await isTold()).toBe(false);
  failing.revive();
  await failing.semaphore.idle();
  expect(await isTold()).toBe(true);
});

test.each(['die', 'freeze'] as const)(
  'a copy that cannot renew for half a minute gives up, before another copy takes it (%s)',
  async (loseDatabase) => {
    const { one: cutOff, other, entered, lost, passSecond } = startCopies(2, { answersMs: [20] });
    await cutOff.enter('ann 1');
    void other.run('ann 2');
    await other.semaphore.idle();
    await until(() => clock.sleeping() === 2);
    cutOff[loseDatabase]();
    const isLost = () => lost.has('ann 1');
    for (let second = 0; !isLost(); second++) {
      expect(second).toBeLessThan(32);
      expect(entered).toEqual(['ann 1 for ann']);
      await passSecond(isLost);
    }
    for (let second = 0; entered.length === 1; second++) {
      expect(second).toBeLessThan(10);
      await passSecond(() => entered.length === 2);
    }
  },
);

test('alone, a copy makes one query in 8 s; waiting for another copy, one in a second', async () => {
  const { one, other, passSecond } = startCopies(2);
  await one.enter('ann 1');
  void one.run('ann 2');
  await one.semaphore.idle();
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) await passSecond();
  };
  await until(() => clock.sleeping() === 1);
  const alone = { ...one.queries };
  await pass(24);
  expect([one.queries.find - alone.find, one.queries.replace - alone.replace]).toEqual([3, 3]);
  void other.run('ann 3');
  await other.semaphore.idle();
  await until(() => clock.sleeping() === 2);
  const before = { ...other.queries };
  await pass(24);
  expect(other.queries.find - before.find).toBeLessThanOrEqual(30);
  expect(other.queries.replace - before.replace).toBeLessThanOrEqual(6);
});
