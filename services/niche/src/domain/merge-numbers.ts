import { spellText } from '@shelfwise/facts/text/normal-text';
import { compareTerms } from './compare-terms.ts';
import type { NicheTerm } from './niche-term.ts';

/** How languages that form the plural with an s give it up again; the first rule that fits counts. */
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
 * Clusters whose most searched terms are one term but for number, blanks and hyphens (`video`, `videos`; `to-do list`,
 * `todo list`) as one: whoever searches for the one wants the other, although the store leads to other apps. In the order
 * of the first of each; members by traffic.
 * @param clusters most traffic first in each
 * @param lang BCP 47
 */
export function mergeNumbers(clusters: readonly (readonly NicheTerm[])[], lang: string): NicheTerm[][] {
  const { language } = new Intl.Locale(lang);
  const merged = new Map<string, NicheTerm[]>();
  for (const members of clusters) {
    const name = singularOf(members[0]?.keyword ?? '', language);
    merged.set(name, [...(merged.get(name) ?? []), ...members]);
  }
  return [...merged.values()].map((members) => members.sort(compareTerms));
}

/** A term without a letter or digit, such as an emoji, is itself. */
function singularOf(keyword: string, language: string): string {
  const rules = singulars.get(language) ?? [];
  const words = spellText(keyword).split(' ');
  return words.map((word) => singularWord(word, rules)).join('') || keyword;
}

function singularWord(word: string, rules: readonly (readonly [RegExp, string])[]): string {
  const rule = rules.find(([ending]) => ending.test(word));
  return rule === undefined ? word : word.replace(...rule);
}
