import {
  type Figure,
  hasEarlierDay,
  known,
  knownOr,
  type Model,
  numberOf,
  rankFigure,
  scoreFigure,
  unknown,
} from './figure.ts';

test('a rank says on which day, and how deep, it was looked for', () => {
  const read = { depth: 80, day: '2026-11-24' };
  expect(rankFigure(3, { ...read, age: 'fresh' })).toEqual({ state: 'known', value: 3 });
  expect(rankFigure(3, { ...read, age: 'stale' })).toEqual({ state: 'stale', value: 3, day: '2026-11-24' });
  expect(rankFigure(3, { ...read, age: 'blocked' })).toEqual({
    state: 'blocked',
    value: 3,
    day: '2026-11-24',
  });
  expect(rankFigure(null, { ...read, age: 'fresh' })).toEqual({ state: 'not_ranked', depth: 80, day: null });
  for (const age of ['stale', 'blocked'] as const)
    expect(rankFigure(null, { ...read, age })).toMatchObject({ state: 'not_ranked', day: '2026-11-24' });
});

test('a score that is missing is pending, or blocked, and never 0; a partial one says so', () => {
  const complete = { isPartial: false, isBlocked: false };
  expect(scoreFigure(null, complete)).toEqual({ state: 'pending' });
  expect(scoreFigure(null, { ...complete, isBlocked: true })).toMatchObject({
    state: 'blocked',
    value: null,
  });
  expect(scoreFigure(0, { ...complete, isBlocked: true })).toEqual({ state: 'known', value: 0 });
  expect(scoreFigure(40, { ...complete, isPartial: true })).toEqual({ state: 'partial', value: 40 });
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

test('a list has changes to show unless each of them has no earlier day', () => {
  expect(hasEarlierDay([])).toBe(false);
  expect(hasEarlierDay([unknown('no_earlier_day'), unknown('no_earlier_day')])).toBe(false);
  expect(hasEarlierDay([unknown('no_earlier_day'), known(0)])).toBe(true);
  expect(hasEarlierDay([unknown('no_rank')])).toBe(true);
});
