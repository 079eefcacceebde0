import type { AuditInput } from '../audit-input.ts';
import { minRelevantGain } from './relevance.ts';
import { createTermFits } from './term-fit.ts';

/** The searched terms of an audit that are the app's business and no brands, most `traffic * gain` first, then by normal form. */
export function relevantTerms(input: AuditInput): string[] {
  const { fitOf } = createTermFits(input);
  return [...input.terms]
    .flatMap(([keyword, { traffic, brand, search_status: searchStatus }]) => {
      const { gain } = fitOf(keyword);
      const isRelevant = searchStatus === 'searched' && brand === null && gain >= minRelevantGain;
      return isRelevant ? [{ keyword, value: (traffic ?? 0) * gain }] : [];
    })
    .sort((a, b) => b.value - a.value || (a.keyword < b.keyword ? -1 : 1))
    .map(({ keyword }) => keyword);
}
