import { categoryLabel } from '@shelfwise/facts/stores/categories';
import type { Store } from '@shelfwise/facts/stores/store';
import { mainGenres, representativeTerm } from './cluster-results.ts';
import {
  firstPlacesOf,
  forKeyword,
  formatCount,
  formatRatings,
  gapsOf,
  halfOfApps,
  strongRatings,
} from './gaps.ts';
import { intentOfGenre } from './genre-intents.ts';
import type { Intent } from './intent.ts';
import { knownValues, upperMedian } from './medians.ts';
import type { NicheContext, NicheTerm } from './niche-term.ts';
import { bestKeyword } from './opportunity.ts';

/** Weaker gaps are not mentioned. */
const minStrength = 0.3;
/**
 * A genre is named only if it holds at least these shares of the places with a known genre: among all results, and
 * among those of the representative term. It also takes this many places with a known genre.
 */
const minGenreShare = { ofAll: 0.4, ofShown: 0.5 } as const;
const minKnownGenres = 5;

/**
 * One English sentence: what kind of app would serve the cluster, for which searches, and the strongest gap that the
 * leaders leave, with the figure that shows it. Without a gap it says so. (docs/scores.md, niches)
 * @param terms most traffic first, at least one
 */
export function appConcept(terms: readonly NicheTerm[], intent: Intent, context: NicheContext): string {
  const why = intent === 'navigational' ? brandClause(terms) : gapClause(terms, context);
  return `${kindOf(terms, intent, context.store)} for ${searchesOf(terms)}: ${why}.`;
}

/** `A Health & Fitness app`, `A puzzle game`; `An app` or `A game` when no genre leads. */
function kindOf(terms: readonly NicheTerm[], intent: Intent, store: Store): string {
  const key = leadingGenre(terms, store);
  if (key === null) return intent === 'games' ? 'A game' : 'An app';
  const label = categoryLabel(store, key) ?? '';
  if (intentOfGenre(store, key) !== 'games') return withArticle(`${label} app`);
  return withArticle(label === 'Games' ? 'game' : `${label.replace(/^Games: /u, '').toLowerCase()} game`);
}

/** The genre that leads among all results and among those of the representative term; null: none. */
function leadingGenre(terms: readonly NicheTerm[], store: Store): string | null {
  const [main, other] = mainGenres(terms, store);
  if (main === undefined || other !== undefined || main.known < minKnownGenres) return null;
  if (main.places < minGenreShare.ofAll * main.known) return null;
  const shown = representativeTerm(terms)?.top.filter((app) => app.genre_key !== null) ?? [];
  const places = shown.filter((app) => app.genre_key === main.key).length;
  return places < minGenreShare.ofShown * shown.length ? null : main.key;
}

/** `U` is left out: `Utilities` is pronounced with a y. */
function withArticle(words: string): string {
  return `${/^[AEIO]/iu.test(words) ? 'An' : 'A'} ${words}`;
}

function searchesOf(terms: readonly NicheTerm[]): string {
  const [first, second] = terms.map(({ keyword }) => `“${keyword}”`);
  const others = terms.length - 2;
  if (second === undefined) return first ?? '';
  if (others === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${formatCount(others)} more ${others === 1 ? 'search' : 'searches'}`;
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

function gapClause(terms: readonly NicheTerm[], context: NicheContext): string {
  const [gap] = gapsOf(terms, context).sort((a, b) => b.strength - a.strength);
  return gap !== undefined && gap.strength >= minStrength ? gap.clause : noGapClause(terms);
}

function noGapClause(terms: readonly NicheTerm[]): string {
  const best = bestKeyword(terms);
  const leaders = leadersClause(terms);
  if (best === null) return `no clear gap${leaders}`;
  const way = terms.length === 1 ? 'it has' : `the best way in is “${best.keyword}” with`;
  return `no clear gap${leaders}; ${way} traffic ${best.traffic} at difficulty ${best.difficulty}`;
}

/** How strong the leaders are; empty when that is unknown. */
function leadersClause(terms: readonly NicheTerm[]): string {
  const term = representativeTerm(terms);
  if (term === null) return '';
  const where = forKeyword(term, terms);
  const { count, maxRatings } = firstPlacesOf(term.top);
  if (count > 1 && maxRatings >= strongRatings)
    return `, the strongest of the first ${count} apps${where} has ${formatRatings(maxRatings)}`;
  const counts = knownValues(term.top.map(({ ratings }) => ratings));
  const median = upperMedian(counts);
  return median === null
    ? ''
    : `, ${halfOfApps(counts, where, 'ratings are')} have at least ${formatRatings(median)}`;
}
