import { foldWithoutPunctuation } from '@shelfwise/facts/text/normalize-text';
import type { NicheTerm } from './niche-term.ts';
import { compareTerms } from './niche-term.ts';

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
 * Merges a cluster into an earlier one that has a form of its name among its terms: people who search for `videos`
 * want what `video` leads to, even if the store shows other apps. Forms of a term differ only in number, blanks and
 * hyphens (`to-do list`, `todo list`). If several earlier clusters qualify, it joins the first of them.
 * @param clusters by the traffic of their names, highest first; the members too, so that the first names the cluster
 * @returns the clusters in the same order, members by traffic again
 * @param lang BCP 47
 */
export function mergeForms(clusters: readonly (readonly NicheTerm[])[], lang: string): NicheTerm[][] {
  const { language } = new Intl.Locale(lang);
  const merged: NicheTerm[][] = [];
  const byForm = new Map<string, NicheTerm[]>();
  for (const members of clusters) {
    const forms = members.map(({ keyword }) => singularOf(keyword, language));
    const target = byForm.get(forms[0] ?? '') ?? [];
    if (target.length === 0) merged.push(target);
    target.push(...members);
    for (const form of forms) if (!byForm.has(form)) byForm.set(form, target);
  }
  return merged.map((members) => members.sort(compareTerms));
}

/** All words in the singular, without blanks. A term without letters and digits, such as an emoji, stays as it is. */
function singularOf(keyword: string, language: string): string {
  const rules = singulars.get(language) ?? [];
  const words = foldWithoutPunctuation(keyword).split(' ');
  return words.map((word) => singularWord(word, rules)).join('') || keyword;
}

function singularWord(word: string, rules: readonly (readonly [RegExp, string])[]): string {
  const rule = rules.find(([ending]) => ending.test(word));
  return rule === undefined ? word : word.replace(...rule);
}
