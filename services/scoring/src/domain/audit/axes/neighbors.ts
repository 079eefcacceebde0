import type { KeywordScore } from '../../keyword/keyword-score.ts';
import { rankOn, type TermPage } from './term-page.ts';

/**
 * The other apps in the top 10 of terms for which an app ranks 30 or better, by store identifier. The value is the form of that
 * term if all such terms have one form; null: they have several. A term does not make its own apps neighbors, nor do its other
 * forms.
 */
export type Neighbors = ReadonlyMap<string, string | null>;

type Term = Pick<KeywordScore, 'traffic' | 'brand' | 'search_status'> & { page: TermPage | null };

/** The worst rank at which an app belongs to the business of a term. */
const deepestRank = 30;
/** The terms that are considered: those with the most traffic, ties in the order of the normal form. */
const maxTerms = 250;

/**
 * Finds the neighbors of an app among the searched terms of its audit. The results of terms that people do not search for, or
 * that name a brand, are apps of all kinds. (docs/scores.md, relevance)
 * @param terms by normal form: those of the listing's texts alone, so that the result is the same for every account
 */
export function findNeighbors(
  appId: string,
  terms: ReadonlyMap<string, Term>,
  formOf: (keyword: string) => string,
): Neighbors {
  const neighbors = new Map<string, string | null>();
  for (const [keyword, term] of withMostTraffic(terms)) {
    const { page, search_status: searchStatus } = term;
    if (page === null || searchStatus !== 'searched' || term.brand !== null) continue;
    const rank = rankOn(page, appId);
    if (rank === null || rank > deepestRank) continue;
    const form = formOf(keyword);
    for (const id of page.app_ids.slice(0, 10)) {
      const isOfOneForm = !neighbors.has(id) || neighbors.get(id) === form;
      if (id !== appId) neighbors.set(id, isOfOneForm ? form : null);
    }
  }
  return neighbors;
}

/** Whether an app is a neighbor for a term of this form: because of a term of another form. */
export function isNeighbor(neighbors: Neighbors, appId: string, form: string): boolean {
  const onlyForm = neighbors.get(appId);
  return onlyForm !== undefined && onlyForm !== form;
}

function withMostTraffic(terms: ReadonlyMap<string, Term>): [string, Term][] {
  return [...terms]
    .sort(([a, { traffic }], [b, other]) => (other.traffic ?? -1) - (traffic ?? -1) || (a < b ? -1 : 1))
    .slice(0, maxTerms);
}
