import { categoryLabel } from '@shelfwise/facts/stores/categories';
import type { Store } from '@shelfwise/facts/stores/store';
import { mainGenres, representativeTerm, servedTerms } from './cluster-results.ts';
import {
  firstAppsOf,
  forKeyword,
  formatCount,
  formatRatings,
  gapsOf,
  halfOfApps,
  startWith,
  strongRatings,
} from './gaps.ts';
import { intentOfGenre } from './genre-intents.ts';
import type { Intent } from './intent.ts';
import { bestKeyword } from './keyword-value.ts';
import { knownValues, upperMedian } from './medians.ts';
import type { NicheContext, NicheTerm } from './niche-term.ts';

/** A gap of less strength (0 to 1) is not mentioned. */
const minStrength = 0.3;
/**
 * The shares of the results with a known genre that a named genre needs: of all terms, and of the representative term.
 */
const minGenreShare = { ofAll: 0.4, ofRepresentative: 0.5 } as const;
const minKnownGenres = 5;

/**
 * One English sentence that proposes an app: its kind, the searches it would serve, and what it would do better than
 * the leaders. Figures of this gap and the best keyword follow. Without a gap, and for a brand, it says so. It claims
 * only what the result pages show. (docs/scores.md, niches)
 * @param terms most traffic first, at least one
 */
export function appConcept(terms: readonly NicheTerm[], intent: Intent, context: NicheContext): string {
  const served = intent === 'navigational' ? terms : servedTerms(terms);
  const subject = `${kindOf(served, intent, context.store)} for ${searchesOf(served)}`;
  if (intent === 'navigational') return `${subject} has little room: ${brandClause(terms)}.`;
  const [gap] = gapsOf(served, context).sort((a, b) => b.strength - a.strength);
  const isGap = gap !== undefined && gap.strength >= minStrength;
  const proposal = `${subject}${isGap ? gap.advantage : ' finds no clear gap'}`;
  const figures = [isGap ? gap.figures : leadersClause(served), startClause(served)];
  // The gap may be the figures of the best keyword.
  const clauses = [...new Set(figures.filter((clause) => clause !== ''))];
  return `${proposal}${clauses.length > 0 ? ': ' : ''}${clauses.join('; ')}.`;
}

/** `A Health & Fitness app`, `A puzzle game`; `An app` or `A game` when no genre leads. */
function kindOf(terms: readonly NicheTerm[], intent: Intent, store: Store): string {
  const key = leadingGenre(terms, store);
  if (key === null) return intent === 'games' ? 'A game' : 'An app';
  const label = categoryLabel(store, key) ?? '';
  if (intentOfGenre(store, key) !== 'games') return withArticle(`${label} app`);
  return withArticle(label === 'Games' ? 'game' : `${label.replace(/^Games: /u, '').toLowerCase()} game`);
}

/** The key of the genre that meets `minGenreShare`; null: none, or two share the lead. */
function leadingGenre(terms: readonly NicheTerm[], store: Store): string | null {
  const [main, equallyFrequent] = mainGenres(terms, store);
  if (main === undefined || equallyFrequent !== undefined || main.known < minKnownGenres) return null;
  if (main.results < minGenreShare.ofAll * main.known) return null;
  const known = representativeTerm(terms)?.top.filter((app) => app.genre_key !== null) ?? [];
  const results = known.filter((app) => app.genre_key === main.key).length;
  return results < minGenreShare.ofRepresentative * known.length ? null : main.key;
}

/** `An` before a vowel, except U: the only such genre is `Utilities`, which is pronounced with a y. */
function withArticle(words: string): string {
  return `${/^[AEIO]/iu.test(words) ? 'An' : 'A'} ${words}`;
}

/** `“a”`, `“a” and “b”` or `“a”, “b” and 3 more searches`. */
function searchesOf(terms: readonly NicheTerm[]): string {
  const [first, second] = terms.map(({ keyword }) => `“${keyword}”`);
  const others = terms.length - 2;
  if (second === undefined) return first ?? '';
  if (others === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${formatCount(others)} more ${others === 1 ? 'search' : 'searches'}`;
}

/** For a cluster whose searches mostly name a brand. */
function brandClause(terms: readonly NicheTerm[]): string {
  const brands = terms.filter(({ isNavigational }) => isNavigational).length;
  const searches = [
    terms.length === 1
      ? 'the search'
      : `${brands === terms.length ? 'all' : `${brands} of the`} ${terms.length} searches`,
    brands === 1 ? 'names a brand' : 'name a brand',
  ];
  return searches.join(' ');
}

/** The keyword that is worth most; empty when none is worth anything. */
function startClause(terms: readonly NicheTerm[]): string {
  const best = bestKeyword(terms);
  return best === null ? '' : startWith(best, terms);
}

/** How strong the leaders are; empty when that is unknown. */
function leadersClause(terms: readonly NicheTerm[]): string {
  const term = representativeTerm(terms);
  if (term === null) return '';
  const where = forKeyword(term, terms);
  const { count, maxRatings } = firstAppsOf(term.top);
  if (count > 1 && maxRatings >= strongRatings)
    return `the strongest of the first ${count} apps${where} has ${formatRatings(maxRatings)}`;
  const counts = knownValues(term.top.map(({ ratings }) => ratings));
  const median = upperMedian(counts);
  return median === null
    ? ''
    : `${halfOfApps(counts, where, 'ratings are')} have at least ${formatRatings(median)}`;
}
