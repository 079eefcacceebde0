import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { listingTerms } from '../domain/audit/listing-terms.ts';
import { rankOn } from '../domain/audit/term-page.ts';
import { textsOf } from '../domain/listing-context.ts';
import { importances } from '../domain/term-schedule.ts';
import { createFormOf } from '../domain/text/form-of.ts';
import type { StoredAudit } from '../stores/audit-store.ts';
import type { TermStore } from '../stores/term-store.ts';

type Deps = { terms: Pick<TermStore, 'findFormPages'> };

/**
 * The app's best rank, by form, on the kept pages of terms that are other forms of these keywords: `habits` for `habit`. One query.
 * @param untilDay UTC; later pages are left out. Null: none is
 */
export async function findFormRanks(
  { terms }: Deps,
  { storefront, appId }: { storefront: Storefront; appId: string },
  keywords: readonly string[],
  untilDay: string | null = null,
): Promise<Map<string, number>> {
  const formOf = createFormOf(storefront.lang);
  const pages = await terms.findFormPages(storefront, keywords, [...new Set(keywords.map(formOf))]);
  const ranks = new Map<string, number>();
  for (const { form, ranking } of pages) {
    const rank = rankOn(ranking, appId);
    const isLater = untilDay !== null && ranking.day > untilDay;
    if (rank !== null && !isLater) ranks.set(form, Math.min(rank, ranks.get(form) ?? rank));
  }
  return ranks;
}

/**
 * The ranks for a draft of an app, or an audit with a kept keywords field: those that were fixed with the app's audit, and for
 * further terms of the draft those on pages that were kept on its day.
 * @param keywords those that may have further ones (`rankedTerms`)
 */
export async function findFormRanksOfDraft(
  deps: Deps,
  listing: { storefront: Storefront; appId: string; content: Parameters<typeof textsOf>[0] },
  { candidates, form_ranks: fixed, computed_at: computedAt }: FixedRanks,
  keywords: readonly string[],
): Promise<Map<string, number>> {
  const { storefront, content } = listing;
  const formOf = createFormOf(storefront.lang);
  // The words of the description are no ranked terms, so they need not be found.
  const texts = { ...textsOf(content), description: null };
  const fixedForms = new Set(rankedTerms(listingTerms({ storefront, texts }), candidates).map(formOf));
  const others = keywords.filter((keyword) => !fixedForms.has(formOf(keyword)));
  const ranks = await findFormRanks(deps, listing, others, utcDay(computedAt));
  for (const [form, rank] of fixed) ranks.set(form, Math.min(rank, ranks.get(form) ?? rank));
  return ranks;
}

type TextTerm = ReturnType<typeof listingTerms>[number];

export type FixedRanks = Pick<StoredAudit, 'candidates' | 'form_ranks' | 'computed_at'>;

/** The terms of an audit whose forms share a rank on kept pages: not the words of a long description, which are too many. */
export function rankedTerms(textTerms: readonly TextTerm[], candidates: readonly string[] | null): string[] {
  const aimed = textTerms.filter(({ importance }) => importance !== importances.described);
  return [...aimed.map(({ keyword }) => keyword), ...(candidates ?? [])];
}
