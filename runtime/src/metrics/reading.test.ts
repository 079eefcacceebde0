import { createReading } from './reading.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A reading whose answers and clock the test controls. Waiting ends at once. */
function create() {
  const reads: { answer(value: number): void; fail(): void }[] = [];
  const clock = { ms: 0 };
  const read = createReading(
    () =>
      new Promise<number>((answer, reject) => {
        reads.push({ answer, fail: () => reject(new Error('no answer')) });
      }),
    { monotonicMs: () => clock.ms, sleep: nextTurn as () => Promise<void> },
  );
  return { read, reads, clock };
}

test('a value is read again when it is older than five seconds', async () => {
  const { read, reads, clock } = create();
  const first = read();
  reads[0]?.answer(1);
  expect(await first).toBe(1);
  clock.ms = 4999;
  expect(await read()).toBe(1);
  expect(reads).toHaveLength(1);
  clock.ms = 5000;
  const second = read();
  reads[1]?.answer(2);
  expect(await second).toBe(2);
});

test('a slow reading keeps no scrape waiting, is sent once, and is shown by the next scrape', async () => {
  const { read, reads, clock } = create();
  expect(await Promise.all([read(), read(), read()])).toEqual([null, null, null]);
  expect(reads).toHaveLength(1);
  reads[0]?.answer(7);
  await nextTurn();
  clock.ms = 15_000;
  expect(await read()).toBe(7);
  expect(reads).toHaveLength(2);
});

test('a value that took long to read is read less often', async () => {
  const { read, reads, clock } = create();
  const first = read();
  clock.ms = 1000;
  reads[0]?.answer(1);
  expect(await first).toBe(1);
  clock.ms = 1000 + 19_999;
  expect(await read()).toBe(1);
  expect(reads).toHaveLength(1);
  clock.ms = 1000 + 20_000;
  expect(await read()).toBe(1);
  expect(reads).toHaveLength(2);
});

test('a value that cannot be read any more is missing after half a minute, and never 0', async () => {
  const { read, reads, clock } = create();
  const first = read();
  reads[0]?.answer(0);
  expect(await first).toBe(0);
  clock.ms = 34_999;
  expect(await read()).toBe(0);
  clock.ms = 35_000;
  expect(await read()).toBeNull();
});

test('a reading that fails is missing at once, and tried again by the next scrape', async () => {
  const { read, reads, clock } = create();
  const first = read();
  reads[0]?.answer(1);
  await first;
  clock.ms = 6000;
  const failed = read();
  reads[1]?.fail();
  expect(await failed).toBeNull();
  const again = read();
  reads[2]?.answer(3);
  expect(await again).toBe(3);
});
