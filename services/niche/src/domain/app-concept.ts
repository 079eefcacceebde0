import { categoryLabel } from '@shelfwise/facts/categories';
import type { Store } from '@shelfwise/facts/store';
import { figure, firstPlacesOf, gapsOf, halfOf, ratingsOf, strongFrom, whereOf } from './gaps.ts';
import { intentOfGenre } from './genre-intents.ts';
import type { Intent } from './intent.ts';
import { mainGenres } from './main-genres.ts';
import type { Market } from './market.ts';
import { knownOf, upperMiddle } from './middles.ts';
import type { NicheTerm } from './niche-term.ts';
import { mostWorth } from './opportunity.ts';
import { representativeOf } from './representative.ts';

/** A weaker gap is not worth telling. */
const leastStrength = 0.3;
/**
 * A genre does not say what kind of app is looked for when it holds a smaller share of all places, or of those of which
 * the gap is told, or when it is known of fewer of them.
 */
const leastShare = { ofAll: 0.4, ofTold: 0.5 } as const;
const leastKnown = 5;

/**
 * One English sentence: what kind of app would serve the cluster, for which searches, and the strongest gap that the
 * leaders leave with the figure that shows it, or that they leave none. (spec: scoring, niche analysis)
 * @param terms most traffic first, at least one
 */
export function appConcept(terms: readonly NicheTerm[], intent: Intent, market: Market): string {
  const why = intent === 'navigational' ? brandClause(terms) : gapClause(terms, market);
  return `${kindOf(terms, intent, market.store)} for ${searchesOf(terms)}: ${why}.`;
}

/** `A Health & Fitness app`, `A puzzle game`; `An app` or `A game` where no genre leads. */
function kindOf(terms: readonly NicheTerm[], intent: Intent, store: Store): string {
  const key = leadingGenre(terms, store);
  if (key === null) return intent === 'games' ? 'A game' : 'An app';
  const label = categoryLabel(store, key) ?? '';
  if (intentOfGenre(store, key) !== 'games') return withArticle(`${label} app`);
  return withArticle(label === 'Games' ? 'game' : `${label.replace(/^Games: /u, '').toLowerCase()} game`);
}

/** The genre that leads among all results, and among those of which the gap is told. */
function leadingGenre(terms: readonly NicheTerm[], store: Store): string | null {
  const [main, other] = mainGenres(terms, store);
  if (main === undefined || other !== undefined || main.known < leastKnown) return null;
  if (main.places < leastShare.ofAll * main.known) return null;
  const told = representativeOf(terms)?.top.filter(({ genre_key: genreKey }) => genreKey !== null) ?? [];
  const places = told.filter(({ genre_key: genreKey }) => genreKey === main.key).length;
  return places < leastShare.ofTold * told.length ? null : main.key;
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
  const brands = terms.filter(({ isNavigational }) => isNavigational).length;
  const searches = [
    terms.length === 1
      ? 'the search'
      : `${brands === terms.length ? 'all' : `${brands} of the`} ${terms.length} searches`,
    brands === 1 ? 'names a brand' : 'name a brand',
  ];
  return `${searches.join(' ')}, which leaves little room for others`;
}

function gapClause(terms: readonly NicheTerm[], market: Market): string {
  const [gap] = gapsOf(terms, market).sort((a, b) => b.strength - a.strength);
  return gap !== undefined && gap.strength >= leastStrength ? gap.clause : noGapClause(terms);
}

function noGapClause(terms: readonly NicheTerm[]): string {
  const best = mostWorth(terms);
  const leaders = leadersClause(terms);
  if (best === null) return `no clear gap${leaders}`;
  const way = terms.length === 1 ? 'it has' : `the best way in is “${best.keyword}” with`;
  return `no clear gap${leaders}; ${way} traffic ${best.traffic} at difficulty ${best.difficulty}`;
}

/** How strong those are that leave no gap; nothing where that is not known. */
function leadersClause(terms: readonly NicheTerm[]): string {
  const term = representativeOf(terms);
  if (term === null) return '';
  const where = whereOf(term, terms);
  const { count, most } = firstPlacesOf(term.top);
  if (count > 1 && most >= strongFrom)
    return `, the strongest of the first ${count} apps${where} has ${ratingsOf(most)}`;
  const counts = knownOf(term.top.map(({ ratings }) => ratings));
  const middle = upperMiddle(counts);
  return middle === null
    ? ''
    : `, ${halfOf(counts, where, 'ratings are')} have at least ${ratingsOf(middle)}`;
}
