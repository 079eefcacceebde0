import { databaseOfSource } from '@shelfwise/app/start/open-databases';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { scoringDatabase } from '@shelfwise/scoring/config';
import { createStores } from '@shelfwise/scoring/create-stores';
import type { PageApp } from '@shelfwise/scoring/domain/keyword/keyword-reading';
import { scoringVersion } from '@shelfwise/scoring/domain/scoring-version';
import { toPublicPage } from '@shelfwise/scoring/stores/public-page';
import { toRanking } from '@shelfwise/scoring/stores/term';
import { termId } from '@shelfwise/scoring/stores/term-filters';
import type { TermDocument } from '@shelfwise/scoring/stores/term-schema';
import type { SampleSystem } from '../../testing/system/start-sample-system.ts';
import { insertDocuments } from '../lib/insert-documents.ts';
import { openEmbeddedDatabase } from '../lib/open-embedded-database.ts';
import { storefront } from './on-sample.ts';
import { type PageOf, pageSize, seededKeyword } from './seeded-pages.ts';

const publicTerms = 20_000;

type Seed = {
  accountIds: readonly string[];
  listingId: number;
  /** Of the first tracked keyword; tracking has the others in their order. */
  firstKeywordId: number;
  pageOf: PageOf;
  /** terms with a page */
  pages: number;
  /** of these, those that each account tracks for the listing; the next 20,000 are public, and the others private */
  tracked: number;
};

/** Fills scoring's database with terms and their newest pages, as measurements leave them. */
export async function seedKeptPages({ system }: SampleSystem, seed: Seed): Promise<void> {
  const { accountIds, listingId, firstKeywordId, pageOf, pages, tracked } = seed;
  const database = await openEmbeddedDatabase(system.dataDir, databaseOfSource(scoringDatabase, 'sample'));
  const { terms, trackedTerms } = createStores(database);
  const now = new Date();
  const tomorrow = new Date(now.getTime() + dayMs);
  const toApp = (id: string): PageApp => ({
    app_id: id,
    title: 'A title of thirty characters',
    developer_name: 'A developer of some name',
    icon: `https://example.com/${'x'.repeat(80)}`,
    genre: 'Productivity',
    genre_key: '6007',
    rating: 4.5,
    ratings: 1200,
    installs: null,
    updated_at: now,
  });
  const indexes = Array.from({ length: pages }, (_, index) => index);
  await insertDocuments(terms.model, indexes, (index) => {
    const ids = pageOf(index);
    const read = { day: utcDay(now), read_at: now, source: 'sample' };
    const term: TermDocument = {
      _id: termId(storefront, seededKeyword(index)),
      ...storefront,
      keyword: seededKeyword(index),
      form: seededKeyword(index),
      is_tracked: index < tracked,
      ranking: toRanking(read, ids),
      reading: {
        page: { ...read, size: pageSize, apps: ids.slice(0, 20).map(toApp), details_read_at: now },
        suggestion: null,
        chart: null,
        empty_looks: [],
      },
      score: {
        scoring_version: scoringVersion,
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
      failures: 0,
      importance: 1,
      request_count: 1,
      has_unpublished_scores: false,
      revision: 1,
    };
    if (index >= tracked && index < tracked + publicTerms && term.ranking && term.score) {
      term.public_until = tomorrow;
      term.public_page = toPublicPage(term.ranking, term.score, now);
    }
    return term;
  });
  const changes = accountIds.flatMap((accountId) =>
    indexes.slice(0, tracked).map((index) => ({
      key: { account_id: accountId, listing_id: listingId, keyword_id: firstKeywordId + index },
      active: true,
      at: now,
      term: { ...storefront, keyword: seededKeyword(index) },
    })),
  );
  await trackedTerms.save(changes);
  await database.close();
}
