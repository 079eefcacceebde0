import { databaseOfSource } from '@shelfwise/app/start/open-databases';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { scoringDatabase } from '@shelfwise/scoring/config';
import { createStores } from '@shelfwise/scoring/create-stores';
import { toRanking } from '@shelfwise/scoring/stores/term';
import { termId } from '@shelfwise/scoring/stores/term-filters';
import type { SampleSystem } from '../../testing/system/start-sample-system.ts';
import { insertDocuments } from '../lib/insert-documents.ts';
import { openEmbeddedDatabase } from '../lib/open-embedded-database.ts';
import { appId, storefront } from './on-sample.ts';

const pageSize = 100;
/** What a scored page of 20 apps takes, so that a term has some 6 KB. */
const padding = 'x'.repeat(160);

type Seed = {
  accountIds: readonly string[];
  listingId: number;
  /** store identifiers; each is on every tenth page, and the app on every seventh */
  rivals: readonly string[];
  /** terms with a page */
  pages: number;
  /** of these, those that each account tracks for the listing; the next 20,000 are public, and the others private */
  tracked: number;
};

/** Fills scoring's database with terms and their newest pages, as measurements leave them. */
export async function seedKeptPages({ system }: SampleSystem, seed: Seed): Promise<void> {
  const { accountIds, listingId, rivals, pages, tracked } = seed;
  const database = await openEmbeddedDatabase(system.dataDir, databaseOfSource(scoringDatabase, 'sample'));
  const { terms, trackedTerms } = createStores(database);
  const now = new Date();
  const keywordOf = (index: number) => `seeded keyword ${String(index).padStart(7, '0')}`;
  const pageOf = (index: number) => {
    const ids = Array.from({ length: pageSize }, (_, at) => `seed.${(index * 31 + at) % 5000}`);
    if (index % 7 === 0) ids[40 + (index % 50)] = appId;
    for (const [at, rival] of rivals.entries())
      if ((index + at) % 10 === 0) ids[((index / 10 + at) % 15) | 0] = rival;
    return ids;
  };
  const indexes = Array.from({ length: pages }, (_, index) => index);
  await insertDocuments(terms.model, indexes, (index) => {
    const ids = pageOf(index);
    const read = { day: utcDay(now), read_at: now, source: 'sample' };
    const apps = ids.slice(0, 20).map((id) => ({ app_id: id, title: padding, developer_name: 'Seed' }));
    const term = {
      _id: termId(storefront, keywordOf(index)),
      ...storefront,
      keyword: keywordOf(index),
      form: keywordOf(index),
      is_tracked: index < tracked,
      ranking: toRanking(read, ids),
      reading: {
        page: { ...read, size: pageSize, apps, details_read_at: now },
        suggestion: null,
        chart: null,
        empty_looks: [],
      },
      score: {
        scoring_version: 4,
        scored_at: now,
        traffic: (7 * index) % 101,
        difficulty: index % 101,
        difficulty_parts: null,
        traffic_parts: null,
        is_partial: false,
        brand: null,
        suspected_brand: null,
        results: pageSize,
        search_status: 'searched',
        genres: [{ key: '6007', apps: 4 }],
      },
      ...(index >= tracked && index < tracked + 20_000
        ? { public_until: new Date(now.getTime() + dayMs) }
        : {}),
      failures: 0,
      importance: 1,
      request_count: 1,
      has_unpublished_scores: false,
      revision: 1,
    };
    // biome-ignore lint/suspicious/noExplicitAny: only the fields that are read
    return term as any;
  });
  const changes = accountIds.flatMap((accountId) =>
    indexes.slice(0, tracked).map((index) => ({
      key: { account_id: accountId, listing_id: listingId, keyword_id: index + 1_000_000 },
      active: true,
      at: now,
      term: { ...storefront, keyword: keywordOf(index) },
    })),
  );
  await trackedTerms.save(changes);
  await database.close();
}
