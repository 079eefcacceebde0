import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { wordsOf } from '@shelfwise/facts/text/words';
import { compareText } from './order.ts';

/** What parts an app's name from what it does: `Streakly: Habit Tracker`, `Calm - Sleep`. */
const separator = /\s*[:：|｜•·～〜]\s*|\s+[-–—]\s*|\s*[–—]\s+/u;

/**
 * The phrases of 1 to 3 words of the titles, those of the most titles first, equals in the order of the normal form.
 * Left out are the scraps of one app's name: a phrase of a single title that begins with a word of its name, which is what stands
 * before the first separator where more stands behind it. A word that others use too is nobody's name: those of other
 * titles, and of terms that are known to be about the topic.
 * @param about terms about the topic
 * @param lang BCP 47
 */
export function titlePhrases(titles: readonly string[], about: readonly string[], lang: string): string[] {
  const words = titles.map((title) => new Set(wordsOf(title, lang)));
  const wordCounts = countAll(words);
  const common = new Set(about.flatMap((term) => wordsOf(term, lang)));
  const isName = (word: string) => wordCounts.get(word) === 1 && !common.has(word);
  const phrases = titles.map((title) => {
    const names = new Set(nameWords(title, lang).filter(isName));
    return phrasesOf(title, lang, 3).filter((phrase) => !names.has(wordsOf(phrase, lang)[0] ?? ''));
  });
  return [...countAll(phrases)]
    .sort(([a, x], [b, y]) => y - x || compareText(a, b))
    .map(([phrase]) => phrase);
}

function nameWords(title: string, lang: string): string[] {
  const [name = '', ...rest] = title.split(separator);
  return rest.join('').trim() === '' ? [] : wordsOf(name, lang);
}

/** In how many of the lists each text stands; none stands twice in one. */
function countAll(lists: readonly Iterable<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const text of list) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
