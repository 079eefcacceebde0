import type { FieldEntry, WordEntry } from './aso-report.ts';
import { hasPartialScores } from './has-partial-scores.ts';

const word = (entry: Partial<WordEntry>): WordEntry => ({
  name: 'photo',
  traffic: 40,
  difficulty: 30,
  occurrences: null,
  status: 'pending',
  relevance: null,
  relevance_parts: null,
  rank: null,
  gain: 1,
  counts: null,
  is_partial: true,
  scored_at: null,
  ...entry,
});
const isPartial = (entry: WordEntry, { score = 50, state = 'scored' }: Partial<FieldEntry> = {}) => {
  const field = { key: 'title', score, state, words: [entry] } as Partial<FieldEntry> as FieldEntry;
  return hasPartialScores({ fields: [field], targeting: targeting(0) });
};
const targeting = (partial: number) => ({
  assessable: true,
  reason: null,
  won: 0,
  lost: 0,
  keywords: [],
  partial,
  ungraded: 0,
  unsearched: 0,
  unsearched_words: [],
});

test.each([
  ['a word that waits for its suggestions', {}, true],
  ['a word that waits for its page', { is_partial: false }, false],
  ['a word that an earlier field has', { status: 'already-used' }, false],
  ['a word where the store never has suggestions', { status: 'earning' }, false],
] satisfies [string, Partial<WordEntry>, boolean][])('%s', (_what, entry, expected) => {
  expect(isPartial(word(entry))).toBe(expected);
});

test('so does a field that has no score until more of its words are read', () => {
  expect(isPartial(word({ is_partial: false }), { score: null })).toBe(true);
  expect(isPartial(word({ status: 'not-searched' }), { score: null })).toBe(false);
  expect(isPartial(word({}), { score: null, state: 'missing' })).toBe(false);
});

test('so does a phrase that the listing aims at', () => {
  expect(hasPartialScores({ fields: [], targeting: targeting(1) })).toBe(true);
  expect(hasPartialScores({ fields: [], targeting: targeting(0) })).toBe(false);
});
