import { termsOf, type WrittenLanguage } from '../../topic.ts';
import { topics } from '../../topics/topics.ts';
import { typedReading } from '../../typed-reading.ts';
import { englishTopicSearches } from './english.ts';
import { germanTopicSearches } from './german.ts';
import { japaneseTopicSearches } from './japanese.ts';
import { japaneseReadings } from './japanese-readings.ts';

const byLanguage: [WrittenLanguage, Readonly<Record<string, string>>][] = [
  ['en', englishTopicSearches],
  ['de', germanTopicSearches],
  ['ja', japaneseTopicSearches],
];

test.each(byLanguage)(
  'in %s each search belongs to an existing topic, starts with one of its terms and is unique',
  (language, searchesOf) => {
    const searches = Object.values(searchesOf).flatMap((list) => list.split(', '));
    expect(new Set(searches).size).toBe(searches.length);
    for (const [noun, list] of Object.entries(searchesOf)) {
      const topic = topics.find((each) => each.noun === noun);
      const firsts = new Set(topic ? termsOf(topic, language).map((term) => firstWord(term)) : []);
      const foreign = list.split(', ').filter((search) => !firsts.has(firstWord(search)));
      expect([noun, foreign]).toEqual([noun, []]);
    }
  },
);

test('each Japanese search can be typed in Hiragana', () => {
  const searches = Object.values(japaneseTopicSearches).flatMap((list) => list.split(', '));
  const typedAsTheyStand = searches.filter((search) => typedReading(search, japaneseReadings) === null);
  expect(typedAsTheyStand.filter((search) => !/ [\p{Script=Hiragana}ー]+$/u.test(search))).toEqual([]);
});

function firstWord(term: string): string {
  return term.toLowerCase().split(' ')[0] ?? '';
}
