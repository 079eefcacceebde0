import { openEmbeddedDatabase } from '../lib/open-embedded-database.ts';

/** What answers about rivals are made from: by a name of our own, the database and the collection. */
const collections = {
  terms: ['scoring', 'terms'],
  baskets: ['scoring', 'baskets'],
  pageDays: ['scoring', 'page_days'],
  audits: ['scoring', 'audits'],
  scoringListings: ['scoring', 'listings'],
  trackedKeywords: ['tracking', 'tracked_keywords'],
  markets: ['tracking', 'keyword_markets'],
  snapshots: ['tracking', 'snapshots'],
  competitors: ['tracking', 'competitors'],
  listings: ['tracking', 'listings'],
  versions: ['tracking', 'listing_versions'],
};

/**
 * The documents of a system that runs on a data folder.
 * @param suffix of the databases' names: that of the sample, or none
 */
export async function openDocuments(dataDir, suffix) {
  const open = async (name) => [name, await openEmbeddedDatabase(dataDir, `shelfwise_${name}${suffix}`)];
  const connections = new Map(await Promise.all(['scoring', 'tracking'].map(open)));
  const read = ([database, name]) => connections.get(database).collection(name).find({}).toArray();
  return {
    /** All of them, as they are stored. */
    async readAll() {
      const entries = Object.entries(collections).map(async ([key, place]) => [key, await read(place)]);
      return Object.fromEntries(await Promise.all(entries));
    },
    close: () => Promise.all([...connections.values()].map((connection) => connection.close())),
  };
}

/**
 * Whether all that is due was read, as far as documents say it.
 * @param expected `tracked`: the number of keywords that accounts track; `since`: the UTC day on which the system started; `at`: its
 *   time; `hasClaims`: whether jobs may still run
 */
export function isRead(
  { terms, scoringListings, listings, markets, trackedKeywords },
  { tracked, since, at, hasClaims },
) {
  const isWaiting = ({ due_at: due, claimed_by: claim }) =>
    claim == null ? due != null && due <= at : !hasClaims;
  const isNew = ({ latest, scores }) => latest?.day >= since && scores != null;
  return (
    trackedKeywords.length === tracked &&
    markets.every(isNew) &&
    listings.every(({ read_at: readAt }) => readAt.toISOString() >= since) &&
    ![...terms, ...scoringListings, ...listings, ...markets].some(isWaiting)
  );
}
