import { formatEventsResult } from './format-events-result.ts';

const letter = {
  group: 'scoring',
  id: 'a',
  topic: 'things.made.v1',
  key: 'k',
  error: 'Error: cannot read it',
  attempts: 6,
  failed_at: '2026-11-23T01:00:00.000Z',
};

test('a page of dead letters ends with the place of the next one', () => {
  const next = '2026-11-23T01:00:00.000Z/scoring:a';
  const lines = formatEventsResult({ dead_letters: [letter], total: 1200, next }).split('\n');
  expect(lines.at(-1)).toBe(`1 of 1,200; the next page: --after ${next}`);
});

test('the last page says how many dead letters there are, the only page does not', () => {
  const last = formatEventsResult({ dead_letters: [letter], total: 1200, next: null });
  expect(last.split('\n').at(-1)).toBe('1 of 1,200');
  expect(formatEventsResult({ dead_letters: [letter], total: 1, next: null })).not.toContain('1 of');
});
