import { createTurns } from './turns.ts';

const { signal } = new AbortController();

/** Lets whatever can go on do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('as many as may go at once, and the others in the order in which they came', async () => {
  const turns = createTurns({ atOnce: 2, longestLine: 20 });
  const gone: string[] = [];
  const ends = new Map<string, () => void>();
  for (const name of ['first', 'second', 'third', 'fourth'])
    void turns.take(signal).then((end) => {
      gone.push(name);
      ends.set(name, end);
    });
  await settle();
  expect({ gone: [...gone], going: turns.going(), waiting: turns.waiting() }).toEqual({
    gone: ['first', 'second'],
    going: 2,
    waiting: 2,
  });
  ends.get('second')?.();
  await settle();
  expect(gone).toEqual(['first', 'second', 'third']);
  for (const name of ['first', 'third']) ends.get(name)?.();
  await settle();
  ends.get('fourth')?.();
  expect({ gone, going: turns.going(), waiting: turns.waiting() }).toEqual({
    gone: ['first', 'second', 'third', 'fourth'],
    going: 0,
    waiting: 0,
  });
});

test('who gives up leaves the line and takes nobody’s turn', async () => {
  const turns = createTurns({ atOnce: 1, longestLine: 20 });
  const end = await turns.take(signal);
  const givingUp = new AbortController();
  const given = turns.take(givingUp.signal);
  const next = turns.take(signal);
  givingUp.abort(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
  expect(turns.waiting()).toBe(1);
  end();
  (await next)();
  expect(turns.going()).toBe(0);
});

test('a full line refuses', async () => {
  const turns = createTurns({ atOnce: 1, longestLine: 0 });
  await turns.take(signal);
  await expect(turns.take(signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
