import { createSemaphore } from './semaphore.ts';

const { signal } = new AbortController();

/** Lets pending promises settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('up to the limit run at a time; the others follow in the order in which they came', async () => {
  const semaphore = createSemaphore({ limit: 2, maxWaiting: 20 });
  const started: string[] = [];
  const releases = new Map<string, () => void>();
  for (const name of ['first', 'second', 'third', 'fourth'])
    void semaphore.acquire(signal).then((release) => {
      started.push(name);
      releases.set(name, release);
    });
  await settle();
  expect({
    started: [...started],
    running: semaphore.running(),
    waiting: semaphore.waiting(),
  }).toEqual({
    started: ['first', 'second'],
    running: 2,
    waiting: 2,
  });
  releases.get('second')?.();
  await settle();
  expect(started).toEqual(['first', 'second', 'third']);
  for (const name of ['first', 'third']) releases.get(name)?.();
  await settle();
  releases.get('fourth')?.();
  expect({ started, running: semaphore.running(), waiting: semaphore.waiting() }).toEqual({
    started: ['first', 'second', 'third', 'fourth'],
    running: 0,
    waiting: 0,
  });
});

test('a caller that gives up leaves the queue and does not take a slot', async () => {
  const semaphore = createSemaphore({ limit: 1, maxWaiting: 20 });
  const release = await semaphore.acquire(signal);
  const givingUp = new AbortController();
  const canceled = semaphore.acquire(givingUp.signal);
  const next = semaphore.acquire(signal);
  givingUp.abort(new Error('canceled'));
  await expect(canceled).rejects.toThrow('canceled');
  expect(semaphore.waiting()).toBe(1);
  release();
  (await next)();
  expect(semaphore.running()).toBe(0);
});

test('a full queue refuses further callers', async () => {
  const semaphore = createSemaphore({ limit: 1, maxWaiting: 0 });
  await semaphore.acquire(signal);
  await expect(semaphore.acquire(signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
