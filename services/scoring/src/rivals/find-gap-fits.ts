import { toAuditInput } from '../audits/to-audit-input.ts';
import type { AuditInput, TermScore } from '../domain/audit/audit-input.ts';
import { findFormRanks } from '../domain/audit/axes/form-ranks.ts';
import type { Neighbors } from '../domain/audit/axes/neighbors.ts';
import { asPending } from '../domain/audit/axes/partial-terms.ts';
import { createTermFits, type TermFits } from '../domain/audit/axes/term-fit.ts';
import { createTermWords } from '../domain/audit/words/term-words.ts';
import { textsOf } from '../domain/listing-context.ts';
import type { ListingReading } from '../domain/listing-reading.ts';
import type { SeenTerm } from './seen-term.ts';

/**
 * What terms would be to the app of a listing that added them: relevance, gain and brand as in an audit and in the words to add
 * (`createTermFits`; docs/scores.md, relevance). The neighbors are those of its audit. The ranks of other forms come from the
 * seen pages alone: an audit also has those of pages that this account may not see.
 */
export function findGapFits(
  listing: ListingReading,
  neighbors: Neighbors,
  seen: readonly SeenTerm[],
  now: Date,
): Pick<TermFits, 'fitOfAdded' | 'brandRoleOfAdded'> {
  const texts = textsOf(listing.content);
  const none = { texts, keywords: [], candidates: null, scores: new Map() };
  const words = createTermWords(listing.storefront.lang);
  const terms = new Map<string, TermScore>();
  for (const { keyword, score } of seen) terms.set(keyword, asPending(score));
  const formRanks = findFormRanks({ terms, candidates: null }, new Map(), listing.app_id, words.formOf);
  const input: AuditInput = {
    ...toAuditInput(listing, none, now),
    tracked: terms,
    neighbors,
    form_ranks: formRanks,
  };
  return createTermFits(input, words);
}
