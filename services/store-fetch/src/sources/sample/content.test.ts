import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { categories } from '@shelfwise/facts/stores/categories';
import { contentFolder, readContent } from './content.ts';
import { typedReading } from './typed-reading.ts';
import { writtenLanguages } from './written-language.ts';

const { topics, languages, countries } = readContent(contentFolder);

describe('a file that differs from its schema is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sample-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['topics/money', '"excludedClaims"', '"excludedClaim"', '0: Unrecognized key: "excludedClaim"'],
    ['topics/money', '"offline', '"ofline', '4.excludedClaims.0: Invalid option'],
    ['topics/games', '"7012"', '"7777"', '0.genre: Invalid option'],
    ['topics/games', '"reach"', '"raech"', '0.reach: Invalid input'],
    ['topics/health', '"fr": "', '"fr": " ', '0.terms.fr.0: must be one line without spaces around it'],
    [
      'topics/health',
      'Einschlafmusik; ',
      'Einschlafmusik, ',
      '8.subtopics: must have as many features and, in each language, lists of terms as taglines',
    ],
    ['languages/de', '"oneHand"', '"onehand"', 'claims.oneHand: Invalid input'],
    ['languages/en', '{brand}: {Term}', '{brand}: {Trem}', 'titles.0: has a placeholder other than brand'],
    ['brands', '"middles"', '"midles"', 'Unrecognized key: "midles"'],
    ['countries', '"perDollar"', '"perdollar"', 'currencies.GB.perDollar: Invalid input'],
    ['words', '"stopWords": "', '"stopWords": "a a ', 'stopWords: names an entry twice'],
  ])('%s with %s changed to %s: the message names the file and %s', (file, from, to, problem) => {
    cpSync(contentFolder, folder, { recursive: true });
    const path = join(folder, `${file}.json`);
    const valid = readFileSync(path, 'utf8');
    const changed = valid.replace(from, to);
    expect(changed).not.toBe(valid);
    writeFileSync(path, changed);
    const read = () => readContent(folder);
    expect(read).toThrow(path);
    expect(read).toThrow(problem);
  });
});

test('every topic has a unique name, and most categories of both stores have a topic', () => {
  expect(new Set(topics.map(({ noun }) => noun)).size).toBe(topics.length);
  expect(new Set(topics.map(({ genre }) => genre)).size).toBeGreaterThanOrEqual(categories.ITUNES.length - 2);
  expect(new Set(topics.map(({ category }) => category)).size).toBeGreaterThanOrEqual(
    categories.GPLAY.length - 3,
  );
});

test('the shares of the home countries are all developers', () => {
  expect(countries.homes.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
});

test.each(writtenLanguages)(
  'in %s each longer search of a topic starts with one of its terms and belongs to no other topic',
  (language) => {
    const searches = topics.flatMap((topic) => topic.searches[language] ?? []);
    expect(new Set(searches).size).toBe(searches.length);
    for (const { noun, ...topic } of topics) {
      const firsts = new Set(topic.terms[language].map(firstWord));
      const foreign = (topic.searches[language] ?? []).filter((search) => !firsts.has(firstWord(search)));
      expect([noun, foreign]).toEqual([noun, []]);
    }
  },
);

test.each(writtenLanguages)(
  'in %s no term is in two sub-topics, or in a sub-topic and a topic',
  (language) => {
    const terms = topics.flatMap((topic) => topic.terms[language].map((term) => term.toLowerCase()));
    const subtopicTerms = topics
      .flatMap(({ subtopics }) => subtopics.flatMap((subtopic) => subtopic.terms[language]))
      .map((term) => term.toLowerCase());
    expect(new Set(subtopicTerms).size).toBe(subtopicTerms.length);
    expect(subtopicTerms.filter((term) => terms.includes(term))).toEqual([]);
  },
);

test('each Japanese search can be typed in Hiragana', () => {
  const searches = topics.flatMap(({ searches, subtopics }) => [
    ...(searches.ja ?? []),
    ...subtopics.flatMap(({ terms }) => terms.ja.filter((term) => term.includes(' '))),
  ]);
  const readings = languages.ja.readings ?? new Map();
  const typedAsTheyStand = searches.filter((search) => typedReading(search, readings) === null);
  expect(typedAsTheyStand.filter((search) => !/ [\p{Script=Hiragana}ー]+$/u.test(search))).toEqual([]);
});

function firstWord(term: string): string {
  return term.toLowerCase().split(' ')[0] ?? '';
}
