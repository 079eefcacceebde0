import { categoryLabel } from '@shelfwise/facts/categories';
import type { Store } from '@shelfwise/facts/store';
import { figure, gapsOf, known, lowerMiddle } from './gaps.ts';
import { intentOfGenre } from './genre-intents.ts';
import type { Intent } from './intent.ts';
import { mainGenres } from './main-genres.ts';
import type { NicheTerm } from './niche-term.ts';

/** A weaker gap is not worth telling. */
const leastStrength = 0.3;

type Place = { store: Store; lang: string; now: Date };

/**
 * One English sentence: what kind of app would serve the cluster, for which searches, and the strongest gap that the
 * leaders leave with the figure that shows it, or that they leave none. (spec: scoring, niche analysis)
 * @param terms most traffic first, at least one
 */
export function appConcept(terms: readonly NicheTerm[], intent: Intent, market: Place): string {
  const why = intent === 'navigational' ? brandClause(terms) : gapClause(terms, market);
  return `${kindOf(terms, market.store)} for ${searchesOf(terms)}: ${why}.`;
}

/** `A Health & Fitness app`, `A puzzle game`, `An app` where no genre is known. */
function kindOf(terms: readonly NicheTerm[], store: Store): string {
  const [key] = mainGenres(terms, store);
  const label = key === undefined ? null : categoryLabel(store, key);
  if (key === undefined || label === null) return 'An app';
  if (intentOfGenre(store, key) !== 'games') return withArticle(`${label} app`);
  return withArticle(label === 'Games' ? 'game' : `${label.replace(/^Games: /u, '').toLowerCase()} game`);
}

/** Before `Utilities` it is `a`: it is spoken with a y. */
function withArticle(words: string): string {
  return `${/^[AEIO]/iu.test(words) ? 'An' : 'A'} ${words}`;
}

function searchesOf(terms: readonly NicheTerm[]): string {
  const [first, second] = terms.map(({ keyword }) => `“${keyword}”`);
  const others = terms.length - 2;
  if (second === undefined) return first ?? '';
  if (others === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${figure(others)} more ${others === 1 ? 'search' : 'searches'}`;
}

function brandClause(terms: readonly NicheTerm[]): string {
  const brands = terms.filter(({ isNavigational }) => isNavigational);
  if (terms.length === 1) return 'the search names a brand, which leaves little room for others';
  const of =
    brands.length === terms.length ? `all ${terms.length}` : `${brands.length} of the ${terms.length}`;
  return `${of} searches name a brand, which leaves little room for others`;
}

function gapClause(terms: readonly NicheTerm[], market: Place): string {
  const [gap] = gapsOf(terms, market).sort((a, b) => b.strength - a.strength);
  return gap !== undefined && gap.strength >= leastStrength ? gap.clause : noGapClause(terms);
}

function noGapClause(terms: readonly NicheTerm[]): string {
  const [easiest] = [...terms].sort((a, b) => a.difficulty - b.difficulty);
  const counts = known((terms[0]?.top ?? []).map(({ ratings }) => ratings));
  const middle = lowerMiddle(counts.map((count) => -count));
  const leaders =
    middle === null ? '' : `, half of the first ${counts.length} have ${figure(-middle)} ratings or more`;
  return `no clear gap${leaders}; the easiest way in is “${easiest?.keyword}” (difficulty ${easiest?.difficulty})`;
}
