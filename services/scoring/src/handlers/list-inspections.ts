import type {
  Inspection,
  ListInspectionsReply,
  ListInspectionsRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkPage } from '@shelfwise/runtime/check-request';
import type { InspectionStore, StoredInspection } from '../stores/inspection-store.ts';

/** One page of what the account has inspected, newest first. */
export async function listInspections(
  { inspections }: { inspections: InspectionStore },
  request: ListInspectionsRequest,
): Promise<ListInspectionsReply> {
  const accountId = checkAccountId(request.account_id);
  const page = checkPage(request);
  const [rows, total] = await Promise.all([inspections.list(accountId, page), inspections.count(accountId)]);
  return { inspections: rows.map(toInspection), total };
}

function toInspection(row: StoredInspection): Inspection {
  const { _id: id, keyword: keywordName, store, country, lang } = row;
  const storefront = { store, country, lang };
  return {
    id,
    keyword_name: keywordName,
    storefront,
    difficulty_score: row.difficulty_score,
    traffic_score: row.traffic_score,
    last_inspected_at: row.last_inspected_at,
  };
}
