import { createLatest } from './latest.ts';

/** A call that ends when it is told to. */
function createSlowCall() {
  const called: number[] = [];
  let end = () => {};
  const call = (value: number) => {
    called.push(value);
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  };
  return { call, called, end: () => end() };
}
const noPause = () => Promise.resolve();
/** Lets what waits for a promise go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await null;
}

test('one call is in flight, and the next one has the newest value', async () => {
  const slow = createSlowCall();
  const push = createLatest(slow.call, noPause);
  for (const value of [1, 2, 3]) push(value);
  expect(slow.called).toEqual([1]);
  slow.end();
  await settle();
  expect(slow.called).toEqual([1, 3]);
});

test('a value that comes after the last call has ended is called at once', async () => {
  const slow = createSlowCall();
  const push = createLatest(slow.call, noPause);
  push(1);
  slow.end();
  await settle();
  push(2);
  expect(slow.called).toEqual([1, 2]);
});

test('a value that comes in the pause waits for its end', async () => {
  let endPause = () => {};
  const pause = () =>
    new Promise<void>((resolve) => {
      endPause = resolve;
    });
  const slow = createSlowCall();
  const push = createLatest(slow.call, pause);
  push(1);
  slow.end();
  await settle();
  push(2);
  expect(slow.called).toEqual([1]);
  endPause();
  await settle();
  expect(slow.called).toEqual([1, 2]);
});
