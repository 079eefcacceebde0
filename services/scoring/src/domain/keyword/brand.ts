import { evidence } from '@shelfwise/facts/text/evidence';
import { isEdge } from '@shelfwise/facts/text/is-edge';
import { spellText } from '@shelfwise/facts/text/normal-text';
import { wordsOf } from '@shelfwise/facts/text/words';
import { companyWords } from '../text/company-words.ts';
import type { PageApp } from './keyword-reading.ts';

/** A rival with a smaller share of the first app's ratings may only borrow its name (`Mods for Minecraft`). */
const smallestShare = 1 / 15;

/**
 * The first app, when a term is its name: every word of the term is in its developer's name and one at least says more
 * than `games` or `ltd`, or the term begins its title. So does every general term (`photo editor` begins `Photo Editor Pro`);
 * therefore a title is a name only if of the other developers' titles among the ten none begins with the term, and none
 * of an app with 1/15 of the first one's ratings holds it anywhere. Counts that are not known veto nothing.
 * (spec: scoring, KEI)
 * @param apps the first ten results, in the store's order
 * @param lang BCP 47
 */
export function brandOf(
  keyword: string,
  apps: readonly PageApp[],
  lang: string,
): { app_id: string; developer_name: string } | null {
  const [first] = apps;
  if (first === undefined || spellText(keyword) === '') return null;
  if (!isDeveloper(keyword, first, lang) && !isTitle(keyword, apps, lang)) return null;
  return { app_id: first.app_id, developer_name: first.developer_name };
}

/** Company words alone are nobody's name. */
function isDeveloper(keyword: string, { developer_name }: PageApp, lang: string): boolean {
  const names = new Set(wordsOf(developer_name, lang).map(spellText));
  const words = wordsOf(keyword, lang).map(spellText);
  return words.some((word) => !companyWords.has(word)) && words.every((word) => names.has(word));
}

function isTitle(keyword: string, [first, ...others]: readonly PageApp[], lang: string): boolean {
  if (first === undefined || !begins(first, keyword)) return false;
  const developer = spellText(first.developer_name);
  const rivals = others.filter((app) => spellText(app.developer_name) !== developer);
  return !rivals.some(
    (app) => begins(app, keyword) || (isOfRank(app, first) && evidence(keyword, app.title, lang) === 1),
  );
}

function isOfRank({ ratings }: PageApp, first: PageApp): boolean {
  return ratings !== null && first.ratings !== null && ratings >= first.ratings * smallestShare;
}

function begins(app: PageApp, keyword: string): boolean {
  const [title, term] = [spellText(app.title), spellText(keyword)];
  return title.startsWith(term) && isEdge(title, term.length);
}
