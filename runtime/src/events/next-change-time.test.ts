import { nextChangeTime } from './next-change-time.ts';

const at = (time: string) => new Date(`2026-03-10T${time}Z`);

test.each([
  ['the first change has the time of the clock', at('09:00:00'), null, at('09:00:00')],
  [
    'a change after the previous one has the time of the clock',
    at('09:00:00'),
    at('08:59:59.999'),
    at('09:00:00'),
  ],
  ['two changes in one millisecond differ', at('09:00:00'), at('09:00:00'), at('09:00:00.001')],
  [
    'a late clock does not order a change before the previous one',
    at('08:00:00'),
    at('09:00:00'),
    at('09:00:00.001'),
  ],
])('%s', (_name, now, previous, expected) => {
  expect(nextChangeTime(now, previous)).toEqual(expected);
});
