import { cutText } from '@shelfwise/facts/text/cut-text';
import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { normalizeText } from '@shelfwise/facts/text/normalize-text';
import { segmentsOf } from '@shelfwise/facts/text/segments';
import { wordsOf } from '@shelfwise/facts/text/words';
import { createFormOf } from '../text/form-of.ts';
import { keywordEntries } from '../text/keyword-entries.ts';

/** In UTF-16 units, ten times the limit of each. The rest is not compared, so that a huge draft costs little time. */
const maxRead = { field: 1_000, name: 300 } as const;

/**
 * The words of a keywords field that a name or subtitle already has, each once, as written in the field. Words are found
 * and compared as in an audit: spellings, plurals and letter case do not matter, and `c++` and `c#` are two words.
 * @param lang BCP 47
 */
export function findRepeats(field: string, names: readonly string[], lang: string): string[] {
  if (names.length === 0) return [];
  const formOf = createFormOf(lang);
  const known = new Set(
    wordsOf(names.map((name) => cutText(name, maxRead.name)).join('\n'), lang).map(formOf),
  );
  const written = keywordEntries(cutText(field, maxRead.field)).flatMap((entry) => entry.split(/\s+/u));
  const repeats = new Map<string, string>();
  for (const [index, words] of wordsByLine(written, lang).entries()) {
    const repeated = words.filter((word) => known.has(formOf(word)));
    // Also several words without a space between them: `wi-fi`, `写真編集`.
    const isWhole = repeated.length > 0 && repeated.length === words.length;
    for (const one of isWhole ? [written[index] ?? ''] : repeated) {
      const key = normalizeKeyword(one, lang);
      repeats.set(key, repeats.get(key) ?? one);
    }
  }
  return [...repeats.values()];
}

/** The words of each text, found in one pass: to segment many texts one by one is slow. */
function wordsByLine(texts: readonly string[], lang: string): string[][] {
  const lines: string[][] = [[]];
  const normal = normalizeText(texts.join('\n'), lang);
  let end = 0;
  for (const segment of segmentsOf(normal, lang)) {
    const breaks = normal.slice(end, segment.start).split('\n').length - 1;
    for (let line = 0; line < breaks; line++) lines.push([]);
    lines.at(-1)?.push(segment.word);
    end = segment.end;
  }
  return lines;
}
