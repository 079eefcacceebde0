import type {
  Inspection,
  ListInspectionsReply,
  ListInspectionsRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import type { InspectionStore, StoredInspection } from '../stores/inspection-store.ts';

type Deps = { inspections: Pick<InspectionStore, 'readPage'> };

export async function listInspections(
  { inspections }: Deps,
  request: ListInspectionsRequest,
): Promise<ListInspectionsReply> {
  const { rows, total } = await inspections.readPage(request);
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
