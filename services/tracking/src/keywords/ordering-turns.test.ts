import { setImmediate as tick } from 'node:timers/promises';
import { createOrderingTurns } from './ordering-turns.ts';

const { signal } = new AbortController();

test('one list is ordered at a time, and accounts take turns', async () => {
  const turns = createOrderingTurns();
  const order: string[] = [];
  let running = 0;
  const take = (account: string, name: string) =>
    turns.take(account, signal, async () => {
      running++;
      expect(running).toBe(1);
      await tick();
      order.push(name);
      running--;
    });
  await Promise.all([take('ann', 'ann 1'), take('ann', 'ann 2'), take('ann', 'ann 3'), take('ben', 'ben 1')]);
  expect(order).toEqual(['ann 1', 'ben 1', 'ann 2', 'ann 3']);
});

test('a call that has ended before its turn does no work, and the next one goes on', async () => {
  const turns = createOrderingTurns();
  const ended = new AbortController();
  const done: string[] = [];
  const first = turns.take('ann', signal, tick);
  const second = turns.take('ben', ended.signal, async () => void done.push('second'));
  const third = turns.take('ben', signal, async () => void done.push('third'));
  ended.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  await Promise.all([first, third]);
  expect(done).toEqual(['third']);
});

test('work that fails does not stop the next one', async () => {
  const turns = createOrderingTurns();
  const failing = turns.take('ann', signal, async () => {
    throw new Error('no database');
  });
  const next = turns.take('ann', signal, async () => 'ordered');
  await expect(failing).rejects.toThrow('no database');
  expect(await next).toBe('ordered');
});

test('a list does not wait for comparisons', async () => {
  const turns = createOrderingTurns();
  let end = () => {};
  const comparing = turns.compare('ann', signal, () => new Promise<void>((resolve) => (end = resolve)));
  expect(await turns.take('ann', signal, async () => 'ordered')).toBe('ordered');
  end();
  await comparing;
});
