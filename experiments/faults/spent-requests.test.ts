import { createSpentRequests } from './spent-requests.ts';

const lastSecond = '2026-11-30T23:59:59Z';
const nextMonth = '2026-12-01T00:00:01Z';

function start() {
  const clock = { now: lastSecond };
  const spent = createSpentRequests(() => new Date(clock.now));
  return { clock, spent };
}

test('only an answered call was certainly counted, by key', () => {
  const { spent } = start();
  spent.start('a', 1)(200);
  spent.start('a', 2)(503);
  spent.start('a', 3)(null);
  spent.start('b', 5)(200);
  expect(spent.of('a')).toEqual({ certain: 1, possible: 6 });
  expect(spent.of('b')).toEqual({ certain: 5, possible: 5 });
  expect(spent.of('c')).toEqual({ certain: 0, possible: 0 });
});

test('a month begins with nothing, and a call over its beginning may be counted in either', () => {
  const { clock, spent } = start();
  spent.start('a', 1)(200);
  spent.start('b', 1)(200);
  const answered = spent.start('a', 2);
  clock.now = nextMonth;
  expect(spent.of('b')).toEqual({ certain: 0, possible: 0 });
  answered(200);
  expect(spent.of('a')).toEqual({ certain: 0, possible: 2 });
  spent.start('a', 3)(200);
  expect(spent.of('a')).toEqual({ certain: 3, possible: 5 });
});
