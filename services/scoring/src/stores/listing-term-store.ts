import type { Store } from '@shelfwise/facts/stores/store';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';
import type { ListingInAudit } from './listing.ts';
import { keywordFilters, type TermKey } from './term-filters.ts';

type ListingTermsDocument = {
  /** internal app id */
  _id: number;
  store: Store;
  country: string;
  lang: string;
  /** start of the audit that the terms are from */
  audit_started_at: Date;
  /** Normal forms of the terms on which its audit depends, and its basket while that is not fixed. */
  terms: string[];
};

const schema = new Schema<ListingTermsDocument>(
  {
    _id: { type: Number, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    audit_started_at: { type: Date, required: true },
    terms: { type: [String], required: true },
  },
  { versionKey: false },
).index({ store: 1, country: 1, lang: 1, terms: 1 });

export type ListingTermStore = ReturnType<typeof createListingTermStore>;

/**
 * Which listings depend on a term. Stored apart from the listings: a document with some 650 index entries is slow to
 * write, and a listing's schedule changes with every audit.
 */
export function createListingTermStore(connection: Connection) {
  const listingTerms = connection.model('ListingTerms', schema, 'listing_terms');

  return {
    /** Stores the terms of a listing unless those of a later audit are stored. Index: _id. */
    async save(
      { _id, store, country, lang, last_audit_started_at: startedAt }: ListingInAudit,
      terms: readonly string[],
    ): Promise<void> {
      await upsertNewest(() =>
        listingTerms.updateOne(
          { _id, audit_started_at: { $lte: startedAt } },
          { $set: { store, country, lang, audit_started_at: startedAt, terms } },
          { upsert: true },
        ),
      );
    },

    /** The internal app ids of the listings that depend on one of the terms. Index: store, country, lang, terms. */
    async findListings(terms: readonly TermKey[]): Promise<number[]> {
      if (terms.length === 0) return [];
      const rows = await listingTerms
        .find({ $or: keywordFilters('terms', terms) })
        .select({ _id: 1 })
        .lean<Pick<ListingTermsDocument, '_id'>[]>();
      return rows.map((row) => row._id);
    },
  };
}
