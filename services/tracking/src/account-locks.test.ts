import { createAccountLocks } from './account-locks.ts';

test('work of one account runs one after the other, in the order of the calls', async () => {
  const { withLock } = createAccountLocks();
  const log: string[] = [];
  const work = (name: string, ticks: number) => () =>
    (async () => {
      log.push(`${name} starts`);
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      log.push(`${name} ends`);
    })();
  await Promise.all([withLock('ann', work('a', 5)), withLock('ann', work('b', 1))]);
  expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
});

test('a failure is its own caller’s, and does not block the next one', async () => {
  const { withLock } = createAccountLocks();
  const failing = withLock('ann', async () => Promise.reject(new Error('mine')));
  const next = withLock('ann', async () => 'done');
  await expect(failing).rejects.toThrow('mine');
  expect(await next).toBe('done');
});

test('accounts do not wait for one another', async () => {
  const { withLock } = createAccountLocks();
  const waiting = withLock('ann', () => new Promise<never>(() => {}));
  expect(await withLock('bob', async () => 'done')).toBe('done');
  expect(waiting).toBeInstanceOf(Promise);
});
