import fc from 'fast-check';
import { relatedCandidates, relatedTerms } from './related-keywords.ts';

const input = {
  keyword: 'Photo Editor',
  lang: 'en',
  suggestions: ['photo editor', 'Photo Editor  Free', 'picsart'],
  titles: ['Photo Editor: Collage Maker', 'Collage Maker - Pics', 'Collage Maker: Sky', 'Photo Lab'],
};

const namesOf = (candidates: readonly { keyword: string }[]) => candidates.map(({ keyword }) => keyword);

const related = (...request: Parameters<typeof relatedTerms>) => namesOf(relatedTerms(...request));

/** Traffic by keyword; no keyword is a brand. */
const known = (traffics: Record<string, number>) => (keyword: string) => {
  const traffic = traffics[keyword];
  return traffic === undefined ? null : { traffic, is_partial: false, difficulty: 40, brand: null };
};

test('suggestions come first, then phrases of titles, most titles first', () => {
  expect(namesOf(relatedCandidates(input))).toEqual([
    'photo editor free',
    'picsart',
    'collage',
    'collage maker',
    'maker',
    'photo',
    'editor',
    'photo lab',
  ]);
});

const fromTitles = (keyword: string, lang: string, ...titles: string[]) =>
  namesOf(relatedCandidates({ keyword, lang, suggestions: [], titles }));

test('a phrase without a word of the keyword must be in three titles', () => {
  const two = ['Photo Lab: Collage', 'Collage - Sky'];
  expect(fromTitles('photo editor', 'en', ...two)).not.toContain('collage');
  expect(fromTitles('photo editor', 'en', ...two, 'Collage Maker')).toContain('collage');
});

test('a filler word alone is no keyword, however many titles have it; next to a word of the keyword it may be', () => {
  const found = fromTitles('photo editor', 'en', 'Photo Pro', 'Sky Pro', 'Sky Pro: Apps', 'Sky - Pro');
  expect(found).toEqual(['sky', 'photo', 'photo pro']);
});

test('a shared stop word does not relate two keywords', () => {
  expect(fromTitles('to do list', 'en', 'Time to Draw: Lists')).toEqual([]);
});

test('in CJK two neighboring characters relate keywords, however the words are segmented', () => {
  expect(fromTitles('写真加工', 'ja', '写真: 動画')).toEqual(['写真']);
  expect(fromTitles('家計簿', 'ja', '簡単家計: 天気')).toContain('家計');
});

test('most traffic comes first, unknown traffic follows in its order, unsearched keywords are left out', () => {
  const found = related(
    relatedCandidates(input),
    known({ collage: 30, picsart: 80, maker: 0, photo: 30, editor: 4 }),
    6,
  );
  expect(found).toEqual(['picsart', 'collage', 'photo', 'photo editor free', 'collage maker']);
});

test('a phrase of one title only is listed only when it is known to be searched', () => {
  const candidates = relatedCandidates(input);
  expect(related(candidates, known({ 'photo lab': 5 }), 20)).toContain('photo lab');
  expect(related(candidates, known({ 'photo lab': 4 }), 20)).not.toContain('photo lab');
  expect(related(candidates, () => null, 20)).not.toContain('photo lab');
});

test('traffic that is computed without the store’s suggestions is unknown, because it can fall', () => {
  const scoreOf = (keyword: string) => ({
    traffic: 90,
    is_partial: keyword !== 'collage',
    difficulty: 40,
    brand: null,
  });
  expect(relatedTerms(relatedCandidates(input), scoreOf, 3)).toMatchObject([
    { keyword: 'collage', traffic: 90, difficulty: 40 },
    { keyword: 'photo editor free', traffic: null, difficulty: 40 },
    { keyword: 'picsart', traffic: null },
  ]);
});

test('a title phrase with another brand is left out, even if searched and shared, unless the brand is part of the keyword', () => {
  const titles = ['Tintcove Photo', 'Tintcove Photo Pro', 'Photo Pro'];
  const brand = { app_id: '1', developer_name: 'Tintcove' };
  const scoreOf = (keyword: string) => ({
    traffic: 50,
    is_partial: false,
    difficulty: 40,
    brand: keyword === 'tintcove' ? brand : null,
  });
  const of = (keyword: string) =>
    related(relatedCandidates({ ...input, keyword, suggestions: [], titles }), scoreOf, 20);
  expect(of('photo editor')).toEqual(['photo', 'photo pro']);
  expect(of('tintcove')).toContain('tintcove photo');
  const suggested = relatedCandidates({ ...input, suggestions: ['tintcove'], titles });
  expect(related(suggested, scoreOf, 20)).toContain('tintcove');
});

test('the limit is respected, and there are at most 100 candidates', () => {
  const titles = Array.from({ length: 100 }, (_, at) => `Photo a${at} b${at}`);
  const candidates = relatedCandidates({ ...input, titles });
  expect(candidates).toHaveLength(100);
  const scoreOf = () => ({ traffic: 50, is_partial: false, difficulty: 40, brand: null });
  expect(related(candidates, scoreOf, 20)).toHaveLength(20);
});

test('text that cannot be searched for is no keyword', () => {
  const suggestions = ['x', 'y'.repeat(101), 'ok'];
  expect(namesOf(relatedCandidates({ ...input, suggestions, titles: [] }))).toEqual(['ok']);
});

test('the keyword itself is never among them, and none is listed twice', () => {
  const word = fc.constantFrom('Photo', 'Editor', 'free', 'the', '-', 'Lab');
  const texts = fc.array(
    fc.array(word, { maxLength: 5 }).map((words) => words.join(' ')),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(texts, texts, (suggestions, titles) => {
      const request = { keyword: 'photo  Editor', lang: 'en', suggestions, titles };
      const candidates = namesOf(relatedCandidates(request));
      expect(candidates).not.toContain('photo editor');
      expect(new Set(candidates).size).toBe(candidates.length);
    }),
  );
});
