import { storefrontOf } from '@shelfwise/facts/stores/storefront';
import type { AuditInput } from '../domain/audit/audit-input.ts';
import { auditListing, type ListingAudit } from '../domain/audit/audit-listing.ts';
import { listingTerms } from '../domain/audit/listing-terms.ts';
import { textsOf } from '../domain/listing-context.ts';
import type { StoredAudit } from '../stores/audit-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { TermStore } from '../stores/term-store.ts';
import { findFormRanksOfDraft } from './find-form-ranks.ts';
import { toAuditInput } from './to-audit-input.ts';

export type AuditWithFieldDeps = {
  listings: Pick<ListingStore, 'find'>;
  terms: Pick<TermStore, 'findAuditTerms' | 'findFormPages'>;
  now: () => Date;
};

/**
 * Audits a listing of the App Store as if it had this keywords field, from what is known now. Nothing is stored: the
 * field belongs to one account, and the stored audit to all. The neighbors and the words to add are those of the stored
 * audit, which come from the texts that the store shows. Three queries; the second reads some 2 KB for each term,
 * and no store call.
 */
export async function auditWithKeywordsField(
  deps: AuditWithFieldDeps,
  stored: StoredAudit,
  kwField: string,
): Promise<ListingAudit> {
  return auditListing(await findInputWithField(deps, stored, kwField));
}

/** The input of such an audit. @param kwField null: unknown, as in the stored audit */
export async function findInputWithField(
  { listings, terms, now }: AuditWithFieldDeps,
  stored: StoredAudit,
  kwField: string | null,
): Promise<AuditInput> {
  const { listing_id: listingId, neighbors, candidates } = stored;
  const listing = await listings.find(listingId);
  if (!listing) throw new Error(`listing ${listingId} has an audit but is not stored`);
  const storefront = storefrontOf(listing);
  const texts = { ...textsOf(listing.content), kw_field: kwField };
  const textTerms = listingTerms({ storefront, texts });
  const keywords = textTerms.map(({ keyword }) => keyword);
  const app = { storefront, appId: listing.app_id, content: listing.content };
  const [scores, formRanks] = await Promise.all([
    terms.findAuditTerms(storefront, [...keywords, ...(candidates ?? [])]),
    findFormRanksOfDraft({ terms }, app, stored, textTerms),
  ]);
  return {
    ...toAuditInput(listing, { texts, keywords, candidates, scores, formRanks }, now()),
    neighbors,
  };
}
