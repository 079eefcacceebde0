import { mostTimesWithin, mostWithin } from './most-within.ts';

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
