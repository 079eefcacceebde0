import fc from 'fast-check';
import { createRequestTurns } from './request-turns.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

function record(limits: Partial<Parameters<typeof createRequestTurns>[0]> = {}) {
  const turns = createRequestTurns({ perTurn: 10, perQueue: 10, maxWaiting: 1000, ...limits });
  const started: string[] = [];
  const gone = new Set<string>();
  return {
    started,
    gone,
    start: (address: string, name: string) =>
      turns.start(address, { start: () => void started.push(name), isGone: () => gone.has(name) }),
  };
}

const names = (address: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `${address}${from + index}`);

test('a burst of requests starts in order, with a maximum in one turn of the event loop', async () => {
  const { start, started } = record();
  for (const name of names('a', 0, 25)) start('a', name);
  expect(started).toHaveLength(10);
  await nextTurn();
  expect(started).toHaveLength(20);
  start('a', 'a25');
  expect(started).toHaveLength(20);
  await nextTurn();
  expect(started).toEqual(names('a', 0, 26));
});

test('requests of different turns start at once', async () => {
  const { start, started } = record({ perTurn: 1, perQueue: 1 });
  for (const name of ['a0', 'a1', 'a2']) {
    start('a', name);
    expect(started.at(-1)).toBe(name);
    await nextTurn();
  }
});

test('while one address has a burst, the request of another one starts at once', () => {
  const { start, started } = record({ perTurn: 10, perQueue: 4 });
  for (const name of names('a', 0, 500)) start('a', name);
  start('b', 'b0');
  expect(started).toEqual([...names('a', 0, 4), 'b0']);
});

test('addresses are served in turn, whatever waits of each', async () => {
  const { start, started } = record({ perTurn: 6, perQueue: 3 });
  for (const address of ['x', 'y']) for (const name of names(address, 0, 3)) start(address, name);
  expect(started.splice(0)).toHaveLength(6);
  for (const name of names('a', 0, 100)) start('a', name);
  for (const name of names('b', 0, 2)) start('b', name);
  start('c', 'c0');
  expect(started).toEqual([]);
  await nextTurn();
  expect(started.splice(0)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2']);
  start('d', 'd0');
  await nextTurn();
  expect(started).toEqual(['a3', 'd0', 'a4', 'a5']);
});

test('no order of arrival lets an address wait for more than its share, and each address keeps its order', async () => {
  const arrivals = fc.array(fc.constantFrom('a', 'a', 'a', 'b', 'c', 'd'), { minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(arrivals, async (addresses) => {
      const { start, started } = record({ perTurn: 4, perQueue: 2 });
      for (const [index, address] of addresses.entries()) start(address, `${address}${index}`);
      const waiting = () => addresses.length - started.length;
      while (waiting() > 0) {
        const before = started.length;
        await nextTurn();
        const turn = started.slice(before);
        expect(turn.length).toBeGreaterThan(0);
        expect(turn.length).toBeLessThanOrEqual(4);
        const left = new Set(
          addresses.flatMap((address, index) => (started.includes(`${address}${index}`) ? [] : [address])),
        );
        const of = (address: string) => turn.filter((name) => name.startsWith(address)).length;
        for (const address of 'abcd') expect(of(address)).toBeLessThanOrEqual(2);
        // Whoever still waits got no fewer than one less than any other in a turn that was not full of other addresses.
        if (turn.length < 4) for (const address of left) expect(of(address)).toBe(2);
      }
      for (const address of 'abcd')
        expect(started.filter((name) => name.startsWith(address))).toEqual(
          addresses.flatMap((one, index) => (one === address ? [`${one}${index}`] : [])),
        );
    }),
    { numRuns: 50 },
  );
});

test('what one address has waiting is bounded, and others still wait', async () => {
  const { start, started } = record({ perTurn: 2, perQueue: 2, maxWaiting: 3 });
  const taken = names('a', 0, 8).map((name) => start('a', name));
  expect(taken).toEqual([true, true, true, true, true, false, false, false]);
  expect(start('b', 'b0')).toBe(true);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(started).toEqual(['a0', 'a1', 'a2', 'b0', 'a3', 'a4']);
});

test('a request whose connection has ended neither starts nor takes a slot', async () => {
  const { start, started, gone } = record({ perTurn: 1, perQueue: 1, maxWaiting: 3 });
  for (const name of names('a', 0, 4)) start('a', name);
  for (const name of ['a1', 'a2']) gone.add(name);
  for (const name of ['a4', 'a5']) expect(start('a', name)).toBe(true);
  expect(start('a', 'a6')).toBe(false);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(started).toEqual(['a0', 'a3', 'a4', 'a5']);
});
