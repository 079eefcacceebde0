import { MongoNetworkError } from 'mongodb';
import { createNoMemory, createRowMemory } from './row-memory.ts';

/** Rows in a database whose reads end when the test says so. */
function startDatabase() {
  const stored = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  const reads: string[][] = [];
  const read = async (keys: readonly string[]) => {
    reads.push([...keys]);
    return new Map([...stored].filter(([key]) => keys.includes(key)));
  };
  /** Reads what is stored now, and ends later. */
  function startRead() {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const slowRead = async (keys: readonly string[]) => {
      const rows = await read(keys);
      await ended;
      return rows;
    };
    return { slowRead, end: () => end() };
  }
  return { stored, reads, read, startRead };
}

test('a row is read once, and those that are not remembered together', async () => {
  const { reads, read } = startDatabase();
  const memory = createRowMemory<string, number>();
  expect(await memory.find(['a'], read)).toEqual(new Map([['a', 1]]));
  const both = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  expect(await memory.find(['b', 'a', 'b'], read)).toEqual(both);
  expect(await memory.find(['a', 'b'], read)).toEqual(both);
  expect(reads).toEqual([['a'], ['b']]);
});

test('a row that does not exist is read each time', async () => {
  const { reads, read, stored } = startDatabase();
  const memory = createRowMemory<string, number>();
  expect(await memory.find(['c'], read)).toEqual(new Map());
  stored.set('c', 3);
  expect(await memory.find(['c'], read)).toEqual(new Map([['c', 3]]));
  expect(reads).toHaveLength(2);
});

test('a change is seen by the next look, also when the row was read before it and found after it', async () => {
  const { stored, read, startRead } = startDatabase();
  const memory = createRowMemory<string, number>();
  await memory.find(['a'], read);
  const { slowRead, end } = startRead();
  const early = memory.find(['b'], slowRead);
  for (const key of ['a', 'b']) await memory.change(key, async () => stored.set(key, 10));
  end();
  expect(await early).toEqual(new Map([['b', 2]]));
  const changed = new Map([
    ['a', 10],
    ['b', 10],
  ]);
  expect(await memory.find(['a', 'b'], read)).toEqual(changed);
});

test('while a change is written, the row is read each time', async () => {
  const { stored, reads, read } = startDatabase();
  const memory = createRowMemory<string, number>();
  await memory.change('a', async () => {
    await memory.find(['a'], read);
    await memory.change('a', async () => stored.set('a', 5));
    await memory.find(['a'], read);
  });
  expect(reads).toHaveLength(2);
});

/** Its write may still happen. */
const notConfirmed = async () => {
  throw new MongoNetworkError('connection closed');
};
const refused = async () => {
  throw new Error('refused before it was written');
};

test('after a write that was not confirmed, its row is read each time; after one that was refused, once', async () => {
  const { stored, reads, read } = startDatabase();
  const memory = createRowMemory<string, number>();
  await expect(memory.change('a', notConfirmed)).rejects.toThrow('connection closed');
  await expect(memory.change('b', refused)).rejects.toThrow('refused');
  await memory.find(['a', 'b'], read);
  stored.set('a', 6);
  expect(await memory.find(['a', 'b'], read)).toEqual(new Map([...stored]));
  await memory.change('a', async () => {});
  await memory.find(['a', 'b'], read);
  expect(reads).toEqual([['a', 'b'], ['a'], ['a']]);
});

test('beyond as many rows with an unconfirmed write as are remembered, each row is read each time', async () => {
  const { reads, read } = startDatabase();
  const memory = createRowMemory<string, number>(2);
  for (const key of ['x', 'y', 'z']) {
    await memory.find(['a'], read);
    await expect(memory.change(key, notConfirmed)).rejects.toThrow('connection closed');
  }
  expect(reads).toEqual([['a']]);
  await memory.find(['a'], read);
  await memory.find(['b'], read);
  await memory.find(['b'], read);
  expect(reads).toEqual([['a'], ['b'], ['b']]);
});

test('after a change of any row that was not confirmed, each row is read each time; after one that was refused, once', async () => {
  const { reads, read } = startDatabase();
  const memory = createRowMemory<string, number>();
  await expect(memory.changeAny(refused)).rejects.toThrow('refused');
  for (let look = 0; look < 2; look++) await memory.find(['a'], read);
  expect(reads).toHaveLength(1);
  await expect(memory.changeAny(notConfirmed)).rejects.toThrow('connection closed');
  for (let look = 0; look < 2; look++) await memory.find(['a'], read);
  expect(reads).toHaveLength(3);
});

test('a change of any row is seen by the next look at each', async () => {
  const { stored, reads, read, startRead } = startDatabase();
  const memory = createRowMemory<string, number>();
  await memory.find(['a'], read);
  const { slowRead, end } = startRead();
  const early = memory.find(['b'], slowRead);
  await memory.changeAny(async () => {
    await memory.find(['a'], read);
    for (const key of stored.keys()) stored.set(key, 20);
  });
  end();
  await early;
  reads.length = 0;
  const changed = new Map([...stored]);
  expect(await memory.find(['a', 'b'], read)).toEqual(changed);
  expect(await memory.find(['a', 'b'], read)).toEqual(changed);
  expect(reads).toEqual([['a', 'b']]);
});

test('a read that fails is not remembered', async () => {
  const { read } = startDatabase();
  const memory = createRowMemory<string, number>();
  const broken = async () => {
    throw new Error('no database');
  };
  await expect(memory.find(['a'], broken)).rejects.toThrow('no database');
  expect(await memory.find(['a'], read)).toEqual(new Map([['a', 1]]));
});

test('the row that was asked for the longest ago is forgotten first', async () => {
  const { reads, read, stored } = startDatabase();
  stored.set('c', 3);
  const memory = createRowMemory<string, number>(2);
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await memory.find([key], read);
  expect(reads).toEqual([['a'], ['b'], ['c'], ['b']]);
});

test('without a memory each look reads', async () => {
  const { reads, read, stored } = startDatabase();
  const memory = createNoMemory<string, number>();
  await memory.find(['a', 'a'], read);
  expect(await memory.change('a', async () => stored.size)).toBe(2);
  await memory.find(['a'], read);
  expect(reads).toEqual([['a'], ['a']]);
});
