import { toFlagMessage } from './to-aso-report-message.ts';

test('the evidence of a flag keeps its order, and each value carries its type', () => {
  const flag = {
    code: 'SUBTITLE_DUPLICATES_TITLE',
    axis: 'coverage',
    severity: 'warning',
    title: 'Title',
    impact: 'Impact.',
    fix: 'Fix.',
  } as const;
  const evidence = { days: 120, field: 'title', words: ['photo', 'editor'] };
  expect(toFlagMessage({ ...flag, evidence })).toEqual({
    ...flag,
    evidence: [
      { name: 'days', value: { $case: 'number', value: 120 } },
      { name: 'field', value: { $case: 'text', value: 'title' } },
      { name: 'words', value: { $case: 'texts', value: { texts: ['photo', 'editor'] } } },
    ],
  });
  expect(toFlagMessage({ ...flag, evidence: {} }).evidence).toEqual([]);
});
