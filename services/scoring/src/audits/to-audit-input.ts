import type { Candidates } from '../domain/audit/advice/choose-candidates.ts';
import type { AuditInput, ListingTexts, TermScore } from '../domain/audit/audit-input.ts';
import { withPartialPending } from '../domain/audit/axes/partial-terms.ts';
import { contextOf, textsOf } from '../domain/listing-context.ts';
import type { ListingReading } from '../domain/listing-reading.ts';

/** What an audit of a listing is computed from. */
type Found = {
  /** of the listing; its keywords field is null or, for an account that keeps it, the kept one */
  texts: ListingTexts;
  /** `listingTerms` of the texts */
  keywords: readonly string[];
  /** null: not chosen yet */
  candidates: Candidates | null;
  /** by normal form: of `keywords` and `candidates` */
  scores: ReadonlyMap<string, TermScore>;
};

/** The input of an audit of a listing, apart from what is computed once and reused for its drafts. */
export function toAuditInput(
  listing: Pick<ListingReading, 'storefront' | 'app_id' | 'content' | 'unlisted_since'>,
  { texts, keywords, candidates, scores }: Found,
  now: Date,
): Omit<AuditInput, 'neighbors' | 'form_ranks'> {
  const { storefront, content } = listing;
  return withPartialPending({
    storefront,
    app_id: listing.app_id,
    texts,
    live_title: content.title ?? null,
    live_description: textsOf(content).description,
    terms: new Map(
      keywords.flatMap((keyword) => {
        const score = scores.get(keyword);
        return score === undefined ? [] : [[keyword, score] as const];
      }),
    ),
    candidates:
      candidates && new Map(candidates.terms.map((keyword) => [keyword, scores.get(keyword) ?? null])),
    sources: new Map(candidates?.sources.map(({ keyword, source }) => [keyword, source])),
    tracked: new Map(),
    now,
    developer_name: content.developer_name ?? null,
    genre: content.genre ?? null,
    genre_key: content.genre_key ?? null,
    context: contextOf(storefront.store, content, now, listing.unlisted_since),
  });
}
