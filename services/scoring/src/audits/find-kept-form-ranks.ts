import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { rankOn } from '../domain/audit/axes/term-page.ts';
import type { listingTerms } from '../domain/audit/words/listing-terms.ts';
import { importances } from '../domain/term-schedule.ts';
import { createFormOf } from '../domain/text/form-of.ts';
import type { TermStore } from '../stores/term-store.ts';

type Deps = { terms: Pick<TermStore, 'findFormPages'> };

/**
 * The app's best rank, by form, on the kept pages of terms that are other forms of these keywords: `habits` for `habit`. One
 * query.
 */
export async function findKeptFormRanks(
  { terms }: Deps,
  { storefront, appId }: { storefront: Storefront; appId: string },
  keywords: readonly string[],
): Promise<Map<string, number>> {
  const formOf = createFormOf(storefront.lang);
  const forms = [...new Set(keywords.map(formOf))];
  const pages = await terms.findFormPages(storefront, { keywords, forms, appId });
  const ranks = new Map<string, number>();
  for (const { form, ranking } of pages) {
    const rank = rankOn(ranking, appId);
    if (rank !== null) ranks.set(form, Math.min(rank, ranks.get(form) ?? rank));
  }
  return ranks;
}

type TextTerm = ReturnType<typeof listingTerms>[number];

/** The terms of an audit whose forms share a rank on kept pages: not the words of a long description, which are too many. */
export function rankedTerms(textTerms: readonly TextTerm[], candidates: readonly string[]): string[] {
  const aimed = textTerms.filter(({ importance }) => importance !== importances.described);
  return [...aimed.map(({ keyword }) => keyword), ...candidates];
}
