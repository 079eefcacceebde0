import { wordsOf } from '@shelfwise/facts/text/words';
import type { Tier } from '@shelfwise/facts/tiers';
import { isRead } from '../keyword/search-status.ts';
import { createFormOf } from '../text/form-of.ts';
import type { AuditInput, TermScore } from './audit-input.ts';
import { creditOf, verdictOf } from './reach.ts';
import { genreShareOn, minRelevantGain } from './relevance.ts';
import { lostShare } from './targeting.ts';
import type { TermFit } from './term-fit.ts';
import { isOnFirstPage } from './term-page.ts';
import type { WordRow } from './word-table.ts';

/** A searched term that the listing does not carry yet. */
export type TermToAdd = {
  /** normal form */
  name: string;
  /** 0 to 100 */
  traffic: number;
  difficulty: number;
  /** 0 to 1; null: unknown */
  relevance: number | null;
  /** When traffic and difficulty were computed. Absent in reports of earlier versions. */
  scored_at?: Date | null;
};

const maxTerms = 10;
/**
 * The share of the app's genre that a term's first ten must have, unless the app is among them: neighbors alone may mislead
 * (a habit tracker ranks for `routine` next to apps for skin care).
 */
const minGenreShare = 0.2;

/**
 * The searched terms that would help the listing most, at most ten, best first: by `traffic * gain * credit`, ties in the
 * order of the normal form. They are chosen among the candidates of the audit (`chooseCandidates`). Left out are brands, terms
 * that lead to apps of other genres or are out of reach, and terms whose words the indexed fields or a better term of the list
 * already have.
 * @returns null when none is known, but one may be once all candidates are read
 * @param words of the indexed fields
 */
export function termsToAdd(
  {
    storefront,
    candidates,
    genre_key: genreKey,
  }: Pick<AuditInput, 'storefront' | 'candidates' | 'genre_key'>,
  words: readonly WordRow[],
  { tier, fitOf }: { tier: Tier; fitOf: (keyword: string) => TermFit },
): TermToAdd[] | null {
  if (candidates === null) return null;
  const formOf = createFormOf(storefront.lang);
  const carried = new Set(words.filter(({ status }) => status !== 'missing').map(({ form }) => form));
  const chosen: TermToAdd[] = [];
  for (const { term } of byValue(candidates, { tier, fitOf, genreKey })) {
    const forms = wordsOf(term.name, storefront.lang).map(formOf);
    if (forms.every((form) => carried.has(form))) continue;
    for (const form of forms) carried.add(form);
    chosen.push(term);
    if (chosen.length === maxTerms) break;
  }
  const isAllRead = [...candidates.values()].every(
    (term) => term && isRead({ searchStatus: term.search_status }),
  );
  return chosen.length > 0 || isAllRead ? chosen : null;
}

function byValue(
  candidates: ReadonlyMap<string, TermScore | null>,
  { tier, fitOf, genreKey }: { tier: Tier; fitOf: (keyword: string) => TermFit; genreKey: string | null },
): { term: TermToAdd; value: number }[] {
  return [...candidates]
    .flatMap(([name, score]) => {
      if (score === null) return [];
      const { traffic, difficulty, brand, page, search_status: status, scored_at = null } = score;
      const isGraded = status === 'searched' && traffic !== null && difficulty !== null;
      const fit = fitOf(name);
      const genreShare = page && genreShareOn(page, genreKey);
      const isForeign = !isOnFirstPage(fit.rank) && genreShare !== null && genreShare < minGenreShare;
      if (!isGraded || brand !== null || isForeign || fit.gain < minRelevantGain) return [];
      const contest = { difficulty, rank: fit.rank };
      const share = fit.gain * creditOf(tier, contest);
      const isWinnable = share >= lostShare * (1 - fit.gain);
      if (verdictOf(tier, contest, isWinnable) === 'out-of-reach') return [];
      const value = traffic * share;
      return [{ term: { name, traffic, difficulty, relevance: fit.relevance, scored_at }, value }];
    })
    .sort((a, b) => b.value - a.value || (a.term.name < b.term.name ? -1 : 1));
}
