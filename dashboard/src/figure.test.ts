import { type Figure, known, knownOr, type Model, numberOf, rankFigure, scoreFigure } from './figure.ts';

test('a rank says on which day, and how deep, it was looked for', () => {
  const read = { depth: 80, day: '2026-11-24' };
  expect(rankFigure(3, { ...read, isStale: false })).toEqual({ state: 'known', value: 3 });
  expect(rankFigure(3, { ...read, isStale: true })).toEqual({ state: 'stale', value: 3, day: '2026-11-24' });
  expect(rankFigure(null, { ...read, isStale: false })).toEqual({
    state: 'not_ranked',
    depth: 80,
    day: null,
  });
  expect(rankFigure(null, { ...read, isStale: true })).toMatchObject({ day: '2026-11-24' });
});

test('a score that is missing is pending, never 0; a partial one says so', () => {
  expect(scoreFigure(null, false)).toEqual({ state: 'pending' });
  expect(scoreFigure(0, false)).toEqual({ state: 'known', value: 0 });
  expect(scoreFigure(40, true)).toEqual({ state: 'partial', value: 40 });
});

test('what has no number sorts by none', () => {
  expect(numberOf(knownOr(null, 'not_published'))).toBeNull();
  expect(numberOf(known(0))).toBe(0);
  expect(numberOf({ state: 'blocked', value: null, day: null })).toBeNull();
});

test('a bare number in the data of a page does not compile', () => {
  const shown: Model<{ rows: { rank: Figure; name: string | null }[] }> = {
    rows: [{ rank: known(1), name: null }],
  };
  // @ts-expect-error a bare number
  const bare: Model<{ rows: { rank: number }[] }> = { rows: [{ rank: 1 }] };
  expect([shown, bare]).toHaveLength(2);
});
