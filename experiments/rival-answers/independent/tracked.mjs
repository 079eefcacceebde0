/** What an account tracks, from the documents of tracking. */

/** The keywords that an account tracks in a storefront, for one listing or for any; each once. */
export function trackedKeywords(documents, { accountId, listingId }, { store, country, lang }) {
  const marketOf = new Map(documents.markets.map((market) => [market._id, market]));
  const rows = documents.trackedKeywords.filter((row) => {
    const market = marketOf.get(row.keyword_id);
    const isHere = market.store === store && market.country === country && market.lang === lang;
    return (
      isHere && row.active && row.account_id === accountId && (listingId ?? row.listing_id) === row.listing_id
    );
  });
  return [...new Map(rows.map((row) => [row.keyword_id, row])).values()];
}

/** The competitors of an account's application, those that were added last first. */
export function competitorsOf(documents, { accountId, listingId }) {
  const listingOf = new Map(documents.listings.map((listing) => [listing._id, listing]));
  return documents.competitors
    .filter((row) => row.active && row.account_id === accountId && row.listing_id === listingId)
    .sort((one, other) => other.tracked_since - one.tracked_since || other._id - one._id)
    .map((row) => ({ relationId: row._id, ...listingOf.get(row.competitor_id) }));
}

/** The newest snapshot of each keyword, by its id. Packed days are older ones, and are not read. */
export function latestSnapshots(documents) {
  const latest = new Map();
  for (const row of documents.snapshots)
    if (row.packed === undefined && !(latest.get(row.keyword_id)?.day >= row.day))
      latest.set(row.keyword_id, row);
  return latest;
}
