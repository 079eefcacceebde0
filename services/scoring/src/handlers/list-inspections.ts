import type {
  Inspection,
  ListInspectionsReply,
  ListInspectionsRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkPage } from '@shelfwise/runtime/check-request';
import type { InspectionStore, StoredInspection } from '../stores/inspection-store.ts';

type Deps = { inspections: Pick<InspectionStore, 'list' | 'count'> };

/** One page of the account's inspections, newest first. */
export async function listInspections(
  { inspections }: Deps,
  request: ListInspectionsRequest,
): Promise<ListInspectionsReply> {
  const accountId = checkAccountId(request.account_id);
  const page = checkPage(request);
  const [rows, total] = await Promise.all([inspections.list(accountId, page), inspections.count(accountId)]);
  return { inspections: rows.map(toInspection), total };
}

function toInspection(row: StoredInspection): Inspection {
  const { store, country, lang } = row;
  return {
    id: row._id,
    keyword_name: row.keyword,
    storefront: { store, country, lang },
    difficulty_score: row.difficulty_score,
    traffic_score: row.traffic_score,
    is_partial: row.is_partial,
    last_inspected_at: row.last_inspected_at,
    scored_at: row.scored_at,
  };
}
