import { utcDay } from '@shelfwise/runtime/day';
import fc from 'fast-check';
import { planAfter } from './chart-plan.ts';

const id = 'ITUNES:US:OVERALL:free';
const rated = { day: '2026-03-10', hasRatings: true };
const unrated = { day: '2026-03-10', hasRatings: false };
const noon = new Date('2026-03-10T12:00:00Z');
const minutesAfter = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 60_000;

test('a chart is read at the same moment of every day, whenever it was requested', () => {
  const today = planAfter(id, rated, noon).due_at;
  const evening = planAfter(id, rated, new Date('2026-03-10T23:00:00Z')).due_at;
  const tomorrow = planAfter(id, { day: '2026-03-11', hasRatings: true }, new Date('2026-03-11T01:00:00Z'));
  expect(utcDay(today)).toBe('2026-03-11');
  expect(evening).toEqual(today);
  expect(minutesAfter(today, tomorrow.due_at)).toBe(24 * 60);
});

test('charts are spread over the hours of the day', () => {
  const hours = new Set(
    Array.from({ length: 300 }, (_, index) =>
      planAfter(`GPLAY:US:CATEGORY_${index}:free`, rated, noon).due_at.getUTCHours(),
    ),
  );
  expect(hours.size).toBe(23);
});

test('missing ratings are requested three more times that day, at growing intervals, and the next day is planned as usual', () => {
  const plans = [0, 1, 2, 3].map((tries) => planAfter(id, unrated, noon, tries));
  expect(plans.slice(0, 3).map((plan) => minutesAfter(noon, plan.due_at))).toEqual([6, 60, 240]);
  expect(plans[3]?.due_at).toEqual(plans[3]?.planned_at);
  for (const plan of plans) expect(utcDay(plan.planned_at)).toBe('2026-03-11');
});

test('a rating attempt that ends after midnight does not change the slot of the new day', () => {
  const plan = planAfter(id, unrated, new Date('2026-03-11T00:00:01Z'), 1);
  expect(plan.due_at).toEqual(plan.planned_at);
  expect(plan.planned_at).toEqual(planAfter(id, rated, noon).planned_at);
});

test('missing ratings of one day are never requested on the next', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_399 }), fc.integer({ min: 0, max: 4 }), (second, tries) => {
      const now = new Date(Date.parse('2026-03-10T00:00:00Z') + second * 1000);
      const { due_at: dueAt, planned_at: plannedAt } = planAfter(id, unrated, now, tries);
      expect(utcDay(dueAt) === '2026-03-10' ? dueAt > now : dueAt.getTime() === plannedAt.getTime()).toBe(
        true,
      );
    }),
  );
});
