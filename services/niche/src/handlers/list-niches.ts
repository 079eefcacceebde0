import type { ListNichesReply, ListNichesRequest, NicheRow } from '@shelfwise/proto/niche/v1/niche';
import type { HistoryRow, HistoryStore } from '../stores/history-store.ts';

type Deps = { history: Pick<HistoryStore, 'readPage'> };

/** One page of the analyses in the history of the account, newest first. */
export async function listNiches({ history }: Deps, request: ListNichesRequest): Promise<ListNichesReply> {
  const { rows, total } = await history.readPage(request);
  return { niches: rows.map(toNicheRow), total };
}

function toNicheRow(row: HistoryRow): NicheRow {
  return {
    id: row._id,
    topic: row.topic,
    storefront: { store: row.store, country: row.country, lang: row.lang },
    clusters_count: row.clusters_count,
    keywords_count: row.keywords_count,
    top_opportunity_score: row.top_opportunity_score,
    created_at: row.created_at,
    analyzed_at: row.analyzed_at,
  };
}
