import type { ListNichesReply, ListNichesRequest, NicheRow } from '@shelfwise/proto/niche/v1/niche';
import { checkPage } from '@shelfwise/runtime/check-page';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { NicheRowStore, StoredRow } from '../stores/niche-row-store.ts';

/** One page of the analyses that the account was given, newest first. */
export async function listNiches(
  { nicheRows }: { nicheRows: Pick<NicheRowStore, 'list' | 'count'> },
  request: ListNichesRequest,
): Promise<ListNichesReply> {
  const accountId = checkAccountId(request.account_id);
  const page = checkPage(request);
  const [rows, total] = await Promise.all([nicheRows.list(accountId, page), nicheRows.count(accountId)]);
  return { niches: rows.map(toNicheRow), total };
}

function toNicheRow(row: StoredRow): NicheRow {
  const { _id: id, topic, store, country, lang } = row;
  const storefront = { store, country, lang };
  return {
    id,
    topic,
    storefront,
    clusters_count: row.clusters_count,
    keywords_count: row.keywords_count,
    top_opportunity_score: row.top_opportunity_score,
    created_at: row.created_at,
  };
}
