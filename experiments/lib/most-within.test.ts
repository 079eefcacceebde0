import { mostWithin } from './most-within.ts';

test('only calls that were sent and answered within the time count', () => {
  const calls = [0, 400, 800, 1200].map((sentAt) => ({ sentAt, answeredAt: sentAt + 100 }));
  expect(mostWithin(calls, 1000)).toBe(3);
  expect(mostWithin(calls, 100)).toBe(1);
  expect(mostWithin([], 1000)).toBe(0);
});
