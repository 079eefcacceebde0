import { mostTimesBeyond, mostTimesWithin, mostWithin } from './most-within.ts';

test('only calls that were sent and answered within the time count', () => {
  const calls = [0, 400, 800, 1200].map((sentAt) => ({ sentAt, answeredAt: sentAt + 100 }));
  expect(mostWithin(calls, 1000)).toBe(3);
  expect(mostWithin(calls, 100)).toBe(1);
  expect(mostWithin([], 1000)).toBe(0);
});

test('a time at the end of a window belongs to the next one', () => {
  expect(mostTimesWithin([900, 0, 500, 1000, 1400], 1000)).toBe(4);
  expect(mostTimesWithin([0, 1000], 1000)).toBe(1);
});

test('times beyond a rate: a burst counts, an even rate does not, and what was saved is a bucket at most', () => {
  const every = (ms: number, count: number) => Array.from({ length: count }, (_, index) => index * ms);
  expect(mostTimesBeyond([], 20)).toBe(0);
  expect(mostTimesBeyond(every(3000, 100), 20)).toBe(1);
  expect(mostTimesBeyond(every(0, 20), 20)).toBe(20);
  // A full bucket, and then as many as come back in the minute.
  expect(mostTimesBeyond([...every(0, 20), ...every(3000, 21).slice(1)], 20)).toBe(20);
  expect(mostTimesBeyond([...every(0, 20), ...every(2000, 31).slice(1)], 20)).toBe(30);
});
