import { createAccountLocks } from './account-locks.ts';

test('work of one account is done one after the other, in the order of asking', async () => {
  const { withLock } = createAccountLocks();
  const story: string[] = [];
  const work = (name: string, turns: number) => () =>
    (async () => {
      story.push(`${name} begins`);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      story.push(`${name} ends`);
    })();
  await Promise.all([withLock('ann', work('a', 5)), withLock('ann', work('b', 1))]);
  expect(story).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('a failure is its own caller’s, and does not keep the next one out', async () => {
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
