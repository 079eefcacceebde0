import { capReached } from './tracking-errors.ts';

test('the message of a reached cap names the cap', () => {
  expect([0, 1, 2].map((cap) => capReached('competitor', cap))).toMatchObject([
    { code: 'PLAN_LIMIT', message: 'Your plan allows no competitors.' },
    { code: 'PLAN_LIMIT', message: 'Your plan allows 1 competitor. Remove one first.' },
    { code: 'PLAN_LIMIT', message: 'Your plan allows 2 competitors. Remove one first.' },
  ]);
});
