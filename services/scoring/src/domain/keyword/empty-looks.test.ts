import fc from 'fast-check';
import { addLooks, isSecondLook, secondLookAt } from './empty-looks.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 10, 9, minutes));
const look = (prefix: string, minutes: number) => ({ prefix, read_at: at(minutes) });

test.each([
  [9, false],
  [10, true],
  [24 * 60 - 1, true],
  [24 * 60, false],
])('a look %i minutes after the first at the same prefix is the second one: %s', (minutes, isSecond) => {
  expect(isSecondLook([look('notes', 0)], 'notes', at(minutes))).toBe(isSecond);
  expect(isSecondLook([look('notes', 0)], 'note', at(minutes))).toBe(false);
  expect(isSecondLook([], 'notes', at(minutes))).toBe(false);
});

test('the first look at a prefix stays until it is a day old', () => {
  expect(addLooks([look('notes', 0)], [look('notes', 5), look('no', 5)], at(5))).toEqual([
    look('notes', 0),
    look('no', 5),
  ]);
  expect(addLooks([look('notes', 0)], [look('notes', 24 * 60)], at(24 * 60))).toEqual([
    look('notes', 24 * 60),
  ]);
});

test('the second look is due ten minutes after the last first one; without looks it is not', () => {
  expect(secondLookAt([look('notes', 0), look('no', 3)], at(4))).toEqual(at(13));
  expect(secondLookAt([], at(4))).toBeNull();
  expect(secondLookAt([look('notes', 0)], at(24 * 60))).toBeNull();
});

test('however many looks are added, at most 16 are kept, one per prefix', () => {
  const looks = fc.array(fc.record({ prefix: fc.string({ maxLength: 2 }), minutes: fc.nat(2000) }));
  fc.assert(
    fc.property(looks, (added) => {
      let kept: ReturnType<typeof addLooks> = [];
      for (const { prefix, minutes } of added) kept = addLooks(kept, [look(prefix, minutes)], at(minutes));
      expect(kept.length).toBeLessThanOrEqual(16);
      expect(new Set(kept.map(({ prefix }) => prefix)).size).toBe(kept.length);
    }),
  );
});
