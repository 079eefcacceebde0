import type { AuditInput } from '../domain/audit/audit-input.ts';
import type { ListingAudit } from '../domain/audit/audit-listing.ts';
import { listingTerms } from '../domain/audit/words/listing-terms.ts';
import { textsOf } from '../domain/listing-context.ts';
import type { ListingReading } from '../domain/listing-reading.ts';
import type { StoredAudit } from '../stores/audit-store.ts';
import type { TermStore } from '../stores/term-store.ts';
import { toAuditInput } from './to-audit-input.ts';
import { advisableOf, noTracked, type TrackedOfAccount } from './tracked-terms-of-account.ts';

export type InputWithFieldDeps = {
  terms: Pick<TermStore, 'findAuditTerms'>;
  now: () => Date;
};

export type AuditWithFieldDeps = InputWithFieldDeps & {
  /** As `auditListing` (`repeated-audits.ts`). */
  auditAgain: (input: AuditInput) => ListingAudit;
};

/**
 * Audits a listing for one account from what is known now, as if it had this keywords field. Its advice includes the terms that
 * the account tracks. Nothing is stored: both belong to the account, and the stored audit to all. The neighbors, the ranks by
 * form and the candidates are those of the stored audit, which come from the texts that the store shows. One query, which
 * reads some 2 KB for each term, and no store call.
 * @param listing as the caller sent it
 * @param kwField null: none is kept
 */
export async function auditWithKeywordsField(
  deps: AuditWithFieldDeps,
  stored: StoredAudit,
  listing: ListingReading,
  kwField: string | null,
  tracked: TrackedOfAccount = noTracked,
): Promise<ListingAudit> {
  return deps.auditAgain(await findInputWithField(deps, stored, listing, kwField, tracked));
}

/** The input of such an audit. @param kwField null: unknown, as in the stored audit */
export async function findInputWithField(
  { terms, now }: InputWithFieldDeps,
  { neighbors, candidates, form_ranks }: StoredAudit,
  listing: ListingReading,
  kwField: string | null,
  tracked: TrackedOfAccount = noTracked,
): Promise<AuditInput> {
  const { storefront } = listing;
  const texts = { ...textsOf(listing.content), kw_field: kwField };
  const textTerms = listingTerms({ storefront, texts });
  const keywords = textTerms.map(({ keyword }) => keyword);
  const needed = [...keywords, ...(candidates?.terms ?? []), ...tracked.parts];
  const scores = await terms.findAuditTerms(storefront, needed);
  return {
    ...toAuditInput(listing, { texts, keywords, candidates, scores }, now()),
    ...advisableOf(candidates, tracked, scores),
    neighbors,
    form_ranks,
  };
}
