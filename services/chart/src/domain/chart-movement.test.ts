import fc from 'fast-check';
import { toMovements } from './chart-movement.ts';

const chart = fc.uniqueArray(fc.integer({ min: 1, max: 60 }).map(String), { maxLength: 40 });

test('without a chart of the day before, no app has moved and none is new', () => {
  expect(toMovements(['1', '2'], null)).toEqual([
    { delta: 0, isNew: false },
    { delta: 0, isNew: false },
  ]);
});

test('the rank of the day before equals the rank plus the ranks gained', () => {
  fc.assert(
    fc.property(chart, chart, (today, before) => {
      const movements = toMovements(today, before);
      expect(movements).toHaveLength(today.length);
      for (const [index, { delta, isNew }] of movements.entries()) {
        const id = today[index] ?? '';
        if (before.includes(id)) {
          expect(isNew).toBe(false);
          expect(before[index + delta]).toBe(id);
        } else {
          expect(delta).toBe(0);
          expect(isNew).toBe(true);
        }
      }
    }),
  );
});

test('after an empty chart, every app is new', () => {
  expect(toMovements(['1', '2'], [])).toEqual([
    { delta: 0, isNew: true },
    { delta: 0, isNew: true },
  ]);
});

test('in an unchanged chart, no app has moved', () => {
  fc.assert(
    fc.property(chart, (apps) => {
      expect(toMovements(apps, apps)).toEqual(apps.map(() => ({ delta: 0, isNew: false })));
    }),
  );
});
