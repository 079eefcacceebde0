import { normalizeUnicode } from './combining-marks.ts';
import { evidence } from './evidence.ts';
import { normalizeKeyword } from './keyword.ts';
import { foldCase } from './literal-search.ts';
import { phrasesOf } from './phrases.ts';
import { commonForm } from './word-form.ts';

/** Marks in an order that normalization has to turn around, as it does in pairs; each is as long as a request may carry. */
const hostile = {
  marks: `a${'\u0315'.repeat(5_000)}${'\u0316'.repeat(5_000)}`,
  'marks kept apart by invisible characters': `a${'\u0315\u200b'.repeat(5_000)}${'\u0316\u200b'.repeat(5_000)}`,
  'marks that decompose': `a${'\u0344\u0316'.repeat(5_000)}`,
  'half-width voicing signs':
    `a${'\u0315'.repeat(30)}`.repeat(100) + `${'\uff9e'}${'\u0315'.repeat(30)}`.repeat(300),
};

const readers: Record<string, (text: string) => unknown> = {
  normalizeKeyword: (text) => normalizeKeyword(text),
  phrasesOf: (text) => phrasesOf(text, 'en', 3),
  commonForm: (text) => commonForm(text, 'de'),
  evidence: (text) => evidence('a', text, 'en'),
  foldCase,
};

/** The most marks in a row that are sorted: NFKC can make two of one. */
const mostMarks = 60;

test.each(
  Object.entries(readers).flatMap(([name, read]) =>
    Object.entries(hostile).map(([what, text]) => ({ name, read, what, text })),
  ),
)('$name never normalizes more than a few marks in a row: $what', ({ read, text }) => {
  const normalize = jest.spyOn(String.prototype, 'normalize');
  read(text);
  const longest = normalize.mock.contexts.map((given) =>
    Math.max(0, ...(String(given).match(/[\p{M}\uff9e\uff9f]+/gu) ?? []).map((run) => run.length)),
  );
  normalize.mockRestore();
  expect(longest.length).toBeGreaterThan(0);
  expect(Math.max(...longest)).toBeLessThanOrEqual(mostMarks);
});

test.each(['e\u0302\u0301', 'ཧཱུྃ', 'שָׁלוֹם', `a${'\u0301'.repeat(30)}`, 'नी'.repeat(40), '写真'.repeat(40)])(
  '%j keeps all its marks',
  (text) => expect(normalizeUnicode(text, 'NFC')).toBe(text.normalize('NFC')),
);

test('a keyword of many marks has a normal form that stays as it is', () => {
  for (const text of Object.values(hostile)) {
    const keyword = normalizeKeyword(text);
    expect(normalizeKeyword(keyword)).toBe(keyword);
  }
});
