import { compareWords, type WordSource } from './compare-words.ts';
import type { ReportField } from './report-parts.ts';

type ReportWord = NonNullable<ReportField['words']>[number];

const word = (name: string, status: ReportWord['status'], counts: number | null): ReportWord => ({
  name,
  status,
  counts,
  traffic: counts,
  difficulty: 10,
  occurrences: null,
  relevance: null,
  relevance_parts: null,
  rank: null,
  gain: 1,
  is_partial: false,
  scored_at: null,
});

function source(
  words: Partial<Record<'title' | 'subtitle', ReportWord[] | null>>,
  scoringVersion = 4,
): WordSource {
  const fields = (['title', 'subtitle'] as const).map((key) => ({
    key,
    words: words[key] === undefined ? [] : words[key],
  }));
  return { scoringVersion, fields };
}

test('words that count on one side only are won and lost, with what they were and are, the biggest first', () => {
  const before = source({ title: [word('habit', 'earning', 40), word('same', 'earning', 9)] });
  const after = source({
    title: [word('habit', 'irrelevant', 0), word('same', 'earning', 30)],
    subtitle: [word('mood', 'earning', 10), word('routine', 'earning', 50)],
  });
  expect(compareWords(before, after)).toEqual([
    {
      name: 'routine',
      kind: 'won',
      before: null,
      after: { field: 'subtitle', status: 'earning' },
      counts: { state: 'known', value: 50 },
    },
    {
      name: 'habit',
      kind: 'lost',
      before: { field: 'title', status: 'earning' },
      after: { field: 'title', status: 'irrelevant' },
      counts: { state: 'known', value: 40 },
    },
    {
      name: 'mood',
      kind: 'won',
      before: null,
      after: { field: 'subtitle', status: 'earning' },
      counts: { state: 'known', value: 10 },
    },
  ]);
});

test('a word that moves to another field and still counts is neither won nor lost', () => {
  const before = source({ title: [word('habit', 'earning', 40)] });
  const after = source({
    title: [word('habit', 'already-used', 0)],
    subtitle: [word('habit', 'earning', 40)],
  });
  expect(compareWords(before, after)).toEqual([]);
});

test('a word that is not read yet on one side is neither won nor lost', () => {
  const read = source({ title: [word('habit', 'earning', 40)] });
  const unread = source({ title: [word('habit', 'pending', null)] });
  expect(compareWords(read, unread)).toEqual([]);
  expect(compareWords(unread, read)).toEqual([]);
  expect(compareWords(source({}), unread)).toEqual([]);
});

test('words of different scoring versions are never compared', () => {
  const words = { title: [word('habit', 'earning', 40)] };
  expect(compareWords(source(words, 3), source({}, 4))).toBe('other_version');
});

test('what is missing is said', () => {
  expect(compareWords(null, source({}))).toBe('no_audit');
  expect(compareWords(source({}), source({ title: null }))).toBe('no_words');
  expect(compareWords(source({}), { scoringVersion: 4, fields: null })).toBe('no_words');
});
