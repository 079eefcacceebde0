import { commonForm } from '@shelfwise/facts/text/word-form';
import type { NicheTerm } from './niche-term.ts';
import { compareTerms } from './niche-term.ts';

/**
 * Merges a cluster into the first one that has a form of its name among its terms: people want the same from `videos`
 * as from `video`. Forms differ only in number, accents, blanks and hyphens (`to-do list`, `todo list`).
 * @param clusters by the traffic of their names, highest first; the members too, so that the first names the cluster
 * @returns the clusters in the same order, members by traffic again
 * @param lang BCP 47
 */
export function mergeForms(clusters: readonly (readonly NicheTerm[])[], lang: string): NicheTerm[][] {
  const merged: NicheTerm[][] = [];
  const byForm = new Map<string, NicheTerm[]>();
  for (const members of clusters) {
    const forms = members.map(({ keyword }) => formOf(keyword, lang));
    const target = byForm.get(forms[0] ?? '') ?? [];
    if (target.length === 0) merged.push(target);
    target.push(...members);
    for (const form of forms) if (!byForm.has(form)) byForm.set(form, target);
  }
  return merged.map((members) => members.sort(compareTerms));
}

/** What all forms of a term have in common. A term without letters and digits, such as an emoji, stays as it is. */
function formOf(keyword: string, lang: string): string {
  return commonForm(keyword, lang).replaceAll(' ', '') || keyword;
}
