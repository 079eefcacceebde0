import { isRead } from '../keyword/search-status.ts';
import type { AuditInput } from './audit-input.ts';
import { findNeighbors } from './neighbors.ts';
import { isRivalBrand } from './own-brand.ts';
import { gainOf, relevanceOf } from './relevance.ts';
import { isOnFirstPage, rankOn } from './term-page.ts';

/** What a term is to the audited app. */
export type TermFit = {
  /** 0 to 1; null: its page is not read, or the draft has no app */
  relevance: number | null;
  /** 0 to 1: how much of its traffic counts */
  gain: number;
  /** of the app on the term's page, from 1; null: not on it, or not known */
  rank: number | null;
};

/** A term about which nothing is known, and every term of a draft without an app. */
const unknown: TermFit = { relevance: null, gain: 1, rank: null };

/** Returns what each term is to the app of an audit. */
export function createTermFits(input: AuditInput): (keyword: string) => TermFit {
  const { app_id: appId, terms, candidates } = input;
  if (appId === null) return () => unknown;
  const app = { app_id: appId, genre_key: input.genre_key };
  const neighbors = input.neighbors ?? findNeighbors(appId, terms);
  return (keyword) => {
    const term = terms.get(keyword) ?? candidates?.get(keyword);
    if (!term || !isRead({ searchStatus: term.search_status })) return unknown;
    const { page } = term;
    const rank = page && rankOn(page, appId);
    const relevance = page && relevanceOf(app, { keyword, page }, neighbors);
    const isRival = isRivalBrand(term, input) && !isOnFirstPage(rank);
    return { relevance, rank, gain: gainOf({ relevance, isRival }) };
  };
}
