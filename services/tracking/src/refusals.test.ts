import { capReached } from './refusals.ts';

test('a reached cap is told in the number that it has', () => {
  expect([0, 1, 2].map((cap) => capReached('competitor', cap))).toMatchObject([
    { code: 'PLAN_LIMIT', message: 'Your plan allows no competitors.' },
    { code: 'PLAN_LIMIT', message: 'Your plan allows 1 competitor. Remove one first.' },
    { code: 'PLAN_LIMIT', message: 'Your plan allows 2 competitors. Remove one first.' },
  ]);
});
