import { isRead } from '../../keyword/search-status.ts';
import type { AuditInput, TermScore } from '../audit-input.ts';
import { createSaid } from '../words/said.ts';
import { createTermWords, type TermWords } from '../words/term-words.ts';
import { type BrandRole, brandRoleOf } from './brand-role.ts';
import { findNeighbors } from './neighbors.ts';
import { gainOf, type RelevanceParts, relevanceOf, relevanceParts } from './relevance.ts';
import { rankOn } from './term-page.ts';

/** What a term is to the audited app. */
export type TermFit = {
  /** 0 to 1; null: its page is not read, or the draft has no app */
  relevance: number | null;
  /** What the relevance is the best of; null: as there. */
  parts: RelevanceParts | null;
  /** 0 to 1: how much of its traffic counts */
  gain: number;
  /** The app's best rank on the pages of the term and its forms, from 1; null: on none of them, or not known. */
  rank: number | null;
  /** A phrase of nothing but rivals' brands is a rival's, too. */
  brandRole: BrandRole;
};

/** A term about which nothing is known. */
const unknown: TermFit = { relevance: null, parts: null, gain: 1, rank: null, brandRole: null };

/** The worst rank at which an app may use the brand of a rival. */
const deepestRankForBrand = 3;

/** Whether phrases that hold the term lend it their gain: not if it names the brand of another developer. */
export function takesLift({ brandRole }: Pick<TermFit, 'brandRole'>): boolean {
  return brandRole !== 'rival' && brandRole !== 'suspected';
}

/** What a term is to the app of an audit; each is computed once. */
export type TermFits = {
  fitOf: (keyword: string) => TermFit;
  /** The same if the term was added to the name, the subtitle or the keywords field; also of terms that an account tracks. */
  fitOfAdded: (keyword: string) => TermFit;
  /** The `brandRole` of that fit, without the rest, which takes longer. */
  brandRoleOfAdded: (keyword: string) => BrandRole;
};

export function createTermFits(
  input: AuditInput,
  words: TermWords = createTermWords(input.storefront.lang),
): TermFits {
  const { terms, candidates, tracked } = input;
  const fitOf = input.app_id === null ? fitWithoutApp : createFitsOfApp(input, input.app_id, words);
  const createFits = (termOf: (keyword: string) => TermScore | null, isAdded: boolean) => {
    const brandOf = createBrandRoles(input, termOf, words);
    const known = new Map<string, TermFit>();
    const readTermOf = (keyword: string) => {
      const term = termOf(keyword);
      return term !== null && isRead({ searchStatus: term.search_status }) ? term : null;
    };
    return {
      fitOf(keyword: string): TermFit {
        const found = known.get(keyword);
        if (found) return found;
        const term = readTermOf(keyword);
        const fit = term ? fitOf(keyword, term, brandOf(keyword, term), isAdded) : unknown;
        known.set(keyword, fit);
        return fit;
      },
      brandRoleOf(keyword: string): BrandRole {
        const term = readTermOf(keyword);
        return term && brandOf(keyword, term);
      },
    };
  };
  const termOf = (keyword: string) => terms.get(keyword) ?? candidates?.get(keyword) ?? null;
  const added = createFits((keyword) => termOf(keyword) ?? tracked.get(keyword) ?? null, true);
  return {
    fitOf: createFits(termOf, false).fitOf,
    fitOfAdded: added.fitOf,
    brandRoleOfAdded: added.brandRoleOf,
  };
}

/** Without an app every term counts in full, apart from brands. */
function fitWithoutApp(_keyword: string, _term: TermScore, brandRole: BrandRole): TermFit {
  return { ...unknown, gain: brandRole === 'rival' ? 0 : 1, brandRole };
}

function createFitsOfApp(input: AuditInput, appId: string, words: TermWords) {
  const neighbors = input.neighbors ?? findNeighbors(appId, input.terms, words.formOf);
  const saidOf = createSaid(input, words);
  return (keyword: string, { page }: TermScore, brandRole: BrandRole, isAdded: boolean): TermFit => {
    const form = words.formOf(keyword);
    // The page of a term that only a draft has, or an account tracks, is not among the ranks of its form.
    const rank = bestOf(input.form_ranks.get(form) ?? null, page && rankOn(page, appId));
    const term = { form, rank, said: saidOf(keyword, isAdded), isSuspected: brandRole === 'suspected' };
    const parts = page && relevanceParts({ ...term, page }, input.genre_key, neighbors);
    const relevance = parts && relevanceOf(parts);
    const isDenied = brandRole === 'rival' && (rank === null || rank > deepestRankForBrand);
    return { relevance, parts, gain: isDenied ? 0 : gainOf(relevance), rank, brandRole };
  };
}

function bestOf(rank: number | null, other: number | null): number | null {
  if (rank === null || other === null) return rank ?? other;
  return Math.min(rank, other);
}

function createBrandRoles(
  input: Pick<AuditInput, 'app_id' | 'developer_name' | 'terms' | 'candidates' | 'tracked'>,
  termOf: (keyword: string) => TermScore | null,
  words: TermWords,
): (keyword: string, term: TermScore) => BrandRole {
  const isRival = (word: string) => {
    const term = termOf(word);
    const isKnown = term !== null && isRead({ searchStatus: term.search_status });
    return isKnown && brandRoleOf(term, input) === 'rival';
  };
  let rivals: ReadonlySet<string> | undefined;
  const findRivals = () => {
    const found = new Set<string>();
    for (const scores of [input.terms, input.candidates, input.tracked])
      for (const [keyword, term] of scores ?? []) if (term?.brand && isRival(keyword)) found.add(keyword);
    return found;
  };
  return (keyword, term) => {
    const role = brandRoleOf(term, input);
    if (role === 'own' || role === 'rival') return role;
    rivals ??= findRivals();
    // To read the words of a term takes longer than all else here.
    if (rivals.size === 0) return role;
    const content = words.contentWordsOf(keyword);
    return content.length > 0 && content.every((word) => rivals?.has(word)) ? 'rival' : role;
  };
}
