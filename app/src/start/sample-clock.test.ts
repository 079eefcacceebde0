import { createSampleClock } from './sample-clock.ts';

beforeEach(() => jest.useFakeTimers({ now: new Date('2026-12-24T18:00:00Z') }));

test('with a day the clock starts at its noon and goes on', () => {
  const now = createSampleClock('2026-11-20');
  expect(now()).toEqual(new Date('2026-11-20T12:00:00Z'));
  jest.advanceTimersByTime(90_000);
  expect(now()).toEqual(new Date('2026-11-20T12:01:30Z'));
});

test.each([undefined, 'today', '2026-02-30'])('with %p it is the system clock', (day) => {
  expect(createSampleClock(day)()).toEqual(new Date('2026-12-24T18:00:00Z'));
});
