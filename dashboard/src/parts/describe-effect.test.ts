import { describeGroups, describeOthers, describeStep } from './describe-effect.ts';

const unknown = { rank_before: null, rank_after: null };

test('a group says what its ranks did, or why that is not known', () => {
  expect(
    describeGroups({
      added: { keywords: 4, rank_before: 40, rank_after: 12.5, moved: true },
      removed: { keywords: 2, ...unknown, moved: null },
      control: { keywords: 20, rank_before: 30, rank_after: 31 },
    }),
  ).toEqual([
    '4 keywords: 40.0 → 12.5, moved after the change',
    '2 keywords: fewer than three',
    '20 keywords: 30.0 → 31.0',
  ]);
  const read = { keywords: 4, rank_before: 5, rank_after: 5 };
  expect(
    describeGroups({
      added: { keywords: 3, ...unknown, moved: null },
      removed: { ...read, moved: false },
      control: { keywords: 1, ...unknown },
    }),
  ).toEqual([
    '3 keywords: too little was read',
    '4 keywords: 5.0 → 5.0, no more than chance',
    '1 keyword: fewer than three',
  ]);
});

test('without a group to compare, the ranks of the others were not read', () => {
  const few = { keywords: 0, ...unknown, moved: null };
  expect(describeGroups({ added: few, removed: few, control: { keywords: 20, ...unknown } })).toEqual([
    '0 keywords: fewer than three',
    '0 keywords: fewer than three',
    '20 keywords: not compared',
  ]);
});

test('other changes within the days are counted, of each comparison', () => {
  const windows = [[], ['42:9'], ['42:9', '42:5']].map((ids) => ({ other_changes: ids }));
  expect(describeOthers(windows)).toEqual(['none', '1 change', '2 changes']);
});

test('a figure is shown only with both sides', () => {
  expect([describeStep(61.8, 60), describeStep(null, 60)]).toEqual(['61.8 → 60.0', 'too little was read']);
});
