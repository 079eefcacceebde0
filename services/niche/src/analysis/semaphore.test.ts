import { createWaitingCallers, oneCaller } from '@shelfwise/runtime/concurrency/waiting-callers';
import { createSemaphore } from './semaphore.ts';

const { signal } = new AbortController();

/** Lets pending promises settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A semaphore on which two run, one of each caller. */
function start(limits: { ofCaller?: number; waiting?: number } = {}) {
  const { ofCaller = 3, waiting = 20 } = limits;
  const semaphore = createSemaphore({ running: 2, runningOfCaller: 1, ofCaller, waiting });
  /** In the order in which they entered: name, and the caller in whose turn. */
  const entered: string[] = [];
  const releases = new Map<string, () => void>();
  const acquire = (callers: Parameters<typeof semaphore.acquire>[0], name: string) =>
    semaphore.acquire(callers, signal).then(({ callerId, release }) => {
      entered.push(`${name} for ${callerId}`);
      releases.set(name, release);
    });
  const release = async (name: string) => {
    releases.get(name)?.();
    await settle();
  };
  const counts = () => [semaphore.running(), semaphore.waiting()];
  return { semaphore, entered, acquire, release, counts };
}

test('one of each caller runs, two at a time; the others follow, callers in turn', async () => {
  const { entered, acquire, release, counts } = start();
  for (const name of ['ann 1', 'ann 2', 'ann 3', 'ben 1', 'ben 2', 'cat 1'])
    void acquire(oneCaller(name.slice(0, 3)), name);
  await settle();
  expect([entered, counts()]).toEqual([
    ['ann 1 for ann', 'ben 1 for ben'],
    [2, 4],
  ]);
  for (const name of ['ben 1', 'ann 1', 'ben 2', 'ann 2', 'cat 1', 'ann 3']) await release(name);
  expect(entered.slice(2).map((name) => name.slice(0, 5))).toEqual(['ben 2', 'ann 2', 'cat 1', 'ann 3']);
  expect(counts()).toEqual([0, 0]);
});

test('a caller with a slot gets no second one, even when one is free', async () => {
  const { entered, acquire, release, counts } = start();
  for (const name of ['ann 1', 'ann 2']) void acquire(oneCaller('ann'), name);
  await settle();
  expect([entered, counts()]).toEqual([['ann 1 for ann'], [1, 1]]);
  await release('ann 1');
  expect(entered).toEqual(['ann 1 for ann', 'ann 2 for ann']);
});

test('of one caller three are admitted, running and waiting; a fourth is refused, and other callers are not', async () => {
  const { semaphore, entered, acquire, release } = start();
  for (const name of ['ann 1', 'ann 2', 'ann 3']) void acquire(oneCaller('ann'), name);
  await settle();
  await expect(semaphore.acquire(oneCaller('ann'), signal)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('Your account already has 3 niche analyses of this store under way'),
  });
  await acquire(oneCaller('ben'), 'ben 1');
  await release('ann 1');
  void acquire(oneCaller('ann'), 'ann 4');
  await settle();
  expect(entered).toEqual(['ann 1 for ann', 'ben 1 for ben', 'ann 2 for ann']);
});

test('what a second caller joins runs in the turn of that caller, and does not count for it', async () => {
  const { entered, acquire, counts } = start({ ofCaller: 2 });
  void acquire(oneCaller('ann'), 'ann 1');
  const { callers, join, leave } = createWaitingCallers();
  join('ann');
  void acquire(callers, 'shared');
  await settle();
  expect(counts()).toEqual([1, 1]);
  join('ben');
  leave('ann');
  await settle();
  expect(entered).toEqual(['ann 1 for ann', 'shared for ben']);
  void acquire(oneCaller('ann'), 'ann 2');
  await settle();
  expect(counts()).toEqual([2, 1]);
});

test('a caller that gives up leaves the queue and does not take a slot', async () => {
  const { semaphore, acquire, release, entered } = start();
  await acquire(oneCaller('ann'), 'ann 1');
  const givingUp = new AbortController();
  const canceled = semaphore.acquire(oneCaller('ann'), givingUp.signal);
  const next = acquire(oneCaller('ann'), 'ann 3');
  givingUp.abort(new Error('canceled'));
  await expect(canceled).rejects.toThrow('canceled');
  expect(semaphore.waiting()).toBe(1);
  await release('ann 1');
  await next;
  await release('ann 3');
  expect([entered, semaphore.running()]).toEqual([['ann 1 for ann', 'ann 3 for ann'], 0]);
});

test('a full queue refuses further callers', async () => {
  const { semaphore, acquire } = start({ waiting: 1 });
  for (const name of ['ann', 'ben', 'cat']) void acquire(oneCaller(name), name);
  await settle();
  await expect(semaphore.acquire(oneCaller('dan'), signal)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('1 niche analyses of this store are already waiting'),
  });
});
