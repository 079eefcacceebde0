import type { FieldEntry, TargetedTerm, WordEntry } from './aso-report.ts';
import { hasPartialTraffic } from './has-partial-traffic.ts';

const word = (entry: Partial<WordEntry>): WordEntry => ({
  name: 'photo',
  traffic: 40,
  difficulty: 30,
  occurrences: null,
  status: 'earning',
  is_partial: true,
  ...entry,
});
const isPartial = (entry: WordEntry, { score = 50 }: { score?: number | null } = {}) => {
  const field = { key: 'title', score, words: [entry] } as Partial<FieldEntry> as FieldEntry;
  return hasPartialTraffic({ fields: [field], targeting: targeting([]) });
};
const targeting = (keywords: TargetedTerm[]) => ({
  assessable: true,
  keywords,
  ungraded: 0,
  unsearched: 0,
  unsearched_words: [],
});

test.each([
  ['a word that earns', {}, true],
  ['a word that earns, with all parts', { is_partial: false }, false],
  ['a word that may turn out to be searched', { status: 'not-searched' }, true],
  ['a word that an earlier field has', { status: 'already-used' }, false],
] satisfies [string, Partial<WordEntry>, boolean][])('%s', (_what, entry, expected) => {
  expect(isPartial(word(entry))).toBe(expected);
});

test('a word of a field without a score does not count', () => {
  expect(isPartial(word({}), { score: null })).toBe(false);
});

test.each([
  [30, true],
  [null, false],
])('a targeted phrase of difficulty %p counts: %p', (difficulty, expected) => {
  const term: TargetedTerm = {
    name: 'photo editor',
    field: 'title',
    traffic: 40,
    difficulty,
    verdict: '',
    is_partial: true,
  };
  expect(hasPartialTraffic({ fields: [], targeting: targeting([term]) })).toBe(expected);
});
