import { createLocksByKey } from './locks-by-key.ts';

test('changes of one account run one after the other, in the order of the calls', async () => {
  const { withLock } = createLocksByKey();
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

test('a failed change rejects its own caller only, and the next one runs', async () => {
  const { withLock } = createLocksByKey();
  const failing = withLock('ann', async () => Promise.reject(new Error('mine')));
  const next = withLock('ann', async () => 'done');
  await expect(failing).rejects.toThrow('mine');
  expect(await next).toBe('done');
});

test('accounts do not wait for each other', async () => {
  const { withLock } = createLocksByKey();
  const waiting = withLock('ann', () => new Promise<never>(() => {}));
  expect(await withLock('bob', async () => 'done')).toBe('done');
  expect(waiting).toBeInstanceOf(Promise);
});
