import { isEdge } from '../text/is-edge.ts';
import { spellText } from '../text/normal-text.ts';
import { wordsOf } from '../text/words.ts';
import type { PageApp } from './keyword-reading.ts';

/** Where a title's name ends and its advertising begins: `Duolingo: Language Lessons`, `Tetris - Blocks`; not `Spider-Man`. */
const titleEnd = /[:|–—(（：｜•·]|\s-|-\s/u;

/** Words of company names that name no company. */
const companyWords: ReadonlySet<string> = new Set(
  `ab ag app apps bv co company corp corporation dev development digital entertainment game games gmbh group inc
  interactive international kg labs limited llc ltd media mobile oy sa sas sl software solutions srl studio studios
  tech technologies technology`.split(/\s+/u),
);

/**
 * The first app, when a term is its name: every word of the term is in its developer's name, or the term is its title up
 * to the first separator. The spec says "begins that app's title", which taken literally makes a brand of every general
 * term (`photo editor` begins `Photo Editor Pro`); so the whole name must be meant, and nobody else may begin a title
 * with the term: rivals do so with `photo editor`, but not with a name that is somebody's.
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
  if (!isDeveloper(keyword, first, lang) && nameOf(first.title) !== term) return null;
  const developer = spellText(first.developer_name);
  const rivals = others.filter((app) => spellText(app.developer_name) !== developer);
  if (rivals.some((app) => begins(spellText(app.title), term))) return null;
  return { app_id: first.app_id, developer_name: first.developer_name };
}

function isDeveloper(keyword: string, { developer_name }: PageApp, lang: string): boolean {
  const words = wordsOf(keyword, lang).map(spellText);
  const names = new Set(wordsOf(developer_name, lang).map(spellText));
  return words.every((word) => names.has(word)) && words.some((word) => !companyWords.has(word));
}

function nameOf(title: string): string {
  return spellText(title.trim().split(titleEnd)[0] ?? '');
}

function begins(title: string, term: string): boolean {
  return title.startsWith(term) && isEdge(title, term.length);
}
