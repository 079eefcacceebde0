import { isUnspaced } from '@shelfwise/facts/text/scripts';
import { wordsOf } from '@shelfwise/facts/text/words';
import { countTexts } from './count-texts.ts';

/** What parts an app's name from what it does: `Streakly: Habit Tracker`, `Habit Tracker - Streakly`. */
const separator = /\s*[:：|｜•·～〜]\s*|\s+[-–—]\s*|\s*[–—]\s+|(?<=\p{Lo})-|-(?=\p{Lo})/u;
/** Where words are written without blanks, a blank parts too: `英語 Streakly`. */
const separatorOrBlank = new RegExp(`${separator.source}|\\s+`, 'u');

/**
 * The words of titles that are known to be names of apps. Only a word that a single title has can be one, and none that is
 * said about the topic. It is one where the name of the title stands: in the first or the last part, the one that
 * consists of such words alone, the shorter one if both do. The last part is then no name if it has several words and
 * the first begins with one; where no part is made of such words, they are a name in the first. A title in one part
 * can begin with a name.
 * @param about terms about the topic
 * @param lang BCP 47
 */
export function titleNames(
  titles: readonly string[],
  about: readonly string[],
  lang: string,
): ReadonlySet<string> {
  const counts = countTexts(titles.map((title) => new Set(wordsOf(title, lang))));
  const common = new Set(about.flatMap((term) => wordsOf(term, lang)));
  const isRare = (word: string) => counts.get(word) === 1 && !common.has(word);
  return new Set(titles.flatMap((title) => namePart(partsOf(title, lang), isRare).filter(isRare)));
}

function namePart(parts: readonly string[][], isRare: (word: string) => boolean): string[] {
  const first = parts[0] ?? [];
  const last = parts.at(-1) ?? [];
  if (parts.length < 2) return first.slice(0, 1);
  const isLast = last.every(isRare);
  if (first.every(isRare)) return isLast && last.length < first.length ? last : first;
  return isLast && (last.length === 1 || !isRare(first[0] ?? '')) ? last : first;
}

/** The words of each part that has any. */
function partsOf(title: string, lang: string): string[][] {
  const parts = title.split([...title].some(isUnspaced) ? separatorOrBlank : separator);
  return parts.map((part) => wordsOf(part, lang)).filter((words) => words.length > 0);
}
