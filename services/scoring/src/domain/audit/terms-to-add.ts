import { wordsOf } from '@shelfwise/facts/text/words';
import type { Tier } from '@shelfwise/facts/tiers';
import type { AuditInput, TermScore } from './audit-input.ts';
import { createFormOf } from './form-of.ts';
import { creditOf } from './targeting.ts';
import type { TermFit } from './term-fit.ts';
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
};

const maxTerms = 10;
/** A term with less gain is not the app's business. */
const minGain = 0.25;

/**
 * The searched terms that would help the listing most, at most ten, best first: by `traffic * gain * credit`, ties in the
 * order of the normal form. They are chosen among the candidates of the audit (`chooseCandidates`). Left out are brands, and
 * terms whose words the indexed fields or a better term of the list already have.
 * @param words of the indexed fields
 */
export function termsToAdd(
  { storefront, candidates }: Pick<AuditInput, 'storefront' | 'candidates'>,
  words: readonly WordRow[],
  { tier, fitOf }: { tier: Tier; fitOf: (keyword: string) => TermFit },
): TermToAdd[] {
  const formOf = createFormOf(storefront.lang);
  const carried = new Set(words.filter(({ status }) => status !== 'missing').map(({ form }) => form));
  const chosen: TermToAdd[] = [];
  for (const { term } of rank(candidates, { tier, fitOf })) {
    const forms = wordsOf(term.name, storefront.lang).map(formOf);
    if (forms.every((form) => carried.has(form))) continue;
    for (const form of forms) carried.add(form);
    chosen.push(term);
    if (chosen.length === maxTerms) break;
  }
  return chosen;
}

function rank(
  candidates: ReadonlyMap<string, TermScore>,
  { tier, fitOf }: { tier: Tier; fitOf: (keyword: string) => TermFit },
): { term: TermToAdd; value: number }[] {
  return [...candidates]
    .flatMap(([name, { traffic, difficulty, brand, search_status: status }]) => {
      const isGraded = status === 'searched' && traffic !== null && difficulty !== null;
      const fit = fitOf(name);
      if (!isGraded || brand !== null || fit.gain < minGain) return [];
      const value = traffic * fit.gain * creditOf(tier, { difficulty, rank: fit.rank });
      return [{ term: { name, traffic, difficulty, relevance: fit.relevance }, value }];
    })
    .sort((a, b) => b.value - a.value || (a.term.name < b.term.name ? -1 : 1));
}
