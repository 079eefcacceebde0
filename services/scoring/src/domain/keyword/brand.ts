import { companyWords } from '../text/company-words.ts';
import { isEdge } from '../text/is-edge.ts';
import { spellText } from '../text/normal-text.ts';
import { wordsOf } from '../text/words.ts';
import type { PageApp } from './keyword-reading.ts';

/**
 * The first app, when a term is its name: every word of the term is in its developer's name and one at least says more
 * than `games` or `ltd`, or the term begins its title. So does every general term (`photo editor` begins `Photo Editor Pro`); therefore a title is a
 * name only if no other developer's title among the ten begins with the term too. (spec: scoring, KEI)
 * @param apps the first ten results, in the store's order
 * @param lang BCP 47
 */
export function brandOf(
  keyword: string,
  apps: readonly PageApp[],
  lang: string,
): { app_id: string; developer_name: string } | null {
  const [first, ...others] = apps;
  const term = spellText(keyword);
  if (first === undefined || term === '') return null;
  if (!isDeveloper(keyword, first, lang) && !isTitle(term, first, others)) return null;
  return { app_id: first.app_id, developer_name: first.developer_name };
}

/** Company words alone are nobody's name. */
function isDeveloper(keyword: string, { developer_name }: PageApp, lang: string): boolean {
  const names = new Set(wordsOf(developer_name, lang).map(spellText));
  const words = wordsOf(keyword, lang).map(spellText);
  return words.some((word) => !companyWords.has(word)) && words.every((word) => names.has(word));
}

function isTitle(term: string, first: PageApp, others: readonly PageApp[]): boolean {
  const developer = spellText(first.developer_name);
  const rivals = others.filter((app) => spellText(app.developer_name) !== developer);
  const beginsTitle = ({ title }: PageApp) => begins(spellText(title), term);
  return beginsTitle(first) && !rivals.some(beginsTitle);
}

function begins(title: string, term: string): boolean {
  return title.startsWith(term) && isEdge(title, term.length);
}
