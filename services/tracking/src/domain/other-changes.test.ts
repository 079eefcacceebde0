import { otherChanges } from './other-changes.ts';

const change = { id: '7:5', day: '2026-04-15' };
const changes = [
  { id: '7:9', day: '2026-04-23' },
  { id: '7:8', day: '2026-04-22' },
  { id: '7:6', day: '2026-04-15' },
  change,
  { id: '7:4', day: '2026-04-08' },
  { id: '7:3', day: '2026-04-07' },
];

test('changes on the day itself, and within the days before and after it, are named; the change itself is not', () => {
  expect(otherChanges(changes, change, 7)).toEqual(['7:8', '7:6', '7:4']);
  expect(otherChanges(changes, change, 14)).toEqual(['7:9', '7:8', '7:6', '7:4', '7:3']);
  expect(otherChanges([change], change, 28)).toEqual([]);
});

test('at most 50 are named', () => {
  const many = Array.from({ length: 60 }, (_, index) => ({ id: `7:${100 + index}`, day: change.day }));
  expect(otherChanges([...many, change], change, 7)).toEqual(many.slice(0, 50).map(({ id }) => id));
});
