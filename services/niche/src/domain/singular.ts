import { foldWithoutPunctuation } from '@shelfwise/facts/text/normalize-text';

/**
 * By language: endings of plurals, and what replaces them in the singular. The first matching rule applies; `$&` keeps
 * the word (`news`).
 */
const singulars: ReadonlyMap<string, readonly (readonly [RegExp, string])[]> = new Map([
  [
    'en',
    [
      [/^news$|(ss|us|is)$/u, '$&'],
      [/(?<=..)ies$/u, 'y'],
      [/(?<=..(x|z|ch|sh|ss))es$/u, ''],
      [/(?<=...)s$/u, ''],
    ],
  ],
  [
    'fr',
    [
      [/(ss|us|is)$/u, '$&'],
      [/(?<=eau|eu)x$/u, ''],
      [/(?<=...)s$/u, ''],
    ],
  ],
  [
    'es',
    [
      [/(?<=..[^aeiouáéíóú])es$/u, ''],
      [/(?<=..[aeiouáéó])s$/u, ''],
    ],
  ],
  [
    'pt',
    [
      [/(?<=..[rz])es$/u, ''],
      [/(?<=..[aeiouáéãê])s$/u, ''],
    ],
  ],
]);

/**
 * A text for comparison with others: folded, without punctuation, its words in the singular. Languages without rules
 * keep their words as they are.
 * @param lang BCP 47
 */
export function inSingular(text: string, lang: string): string {
  const rules = singulars.get(new Intl.Locale(lang).language) ?? [];
  const words = foldWithoutPunctuation(text).split(' ');
  return words.map((word) => singularWord(word, rules)).join(' ');
}

function singularWord(word: string, rules: readonly (readonly [RegExp, string])[]): string {
  const rule = rules.find(([ending]) => ending.test(word));
  return rule === undefined ? word : word.replace(...rule);
}
