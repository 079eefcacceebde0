import type { Inspection } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toStorefront, toTimestamp } from './answers/from-proto.ts';
import { defineRoute } from './route/define-route.ts';
import { pagedList } from './route/paged-list.ts';
import { scoredOnDay, shownDay } from './shapes/ages.ts';
import * as shapes from './shapes/shapes.ts';

const row = z.object({
  id: shapes.rowId('Id of the row: one per keyword, store, country and language.', 9),
  keyword_name: shapes.keyword,
  ...shapes.storefront,
  difficulty_score: shapes.measuredScore('How hard it was to rank'),
  traffic_score: shapes.measuredScore('How much it was searched for'),
  is_partial: shapes.isPartial,
  last_inspected_at: shapes.timestamp.meta({ description: 'Time of the last inspection.' }),
  scored_at: scoredOnDay,
});

type Deps = { scoring: Pick<Clients['scoring'], 'listInspections'> };

export const listInspections = defineRoute({
  ...pagedList(row),
  path: '/api/v1/keywords/inspect/history',
  operationId: 'listInspections',
  tag: 'Keywords',
  summary: 'List inspected keywords',
  description:
    'One row per keyword and storefront (store, country and language), most recently inspected first.',
  cost: 0,
  services: ['scoring'],
  async handler(deps: Deps, { account, query, call }) {
    const request = { account_id: account.id, page: query.page, per_page: query.per_page };
    const { inspections, total } = await deps.scoring.listInspections(request, call);
    return { data: inspections.map(toRow), meta: shapes.toPaginationMeta(total, query) };
  },
});

function toRow(inspection: Inspection): z.output<typeof row> {
  return {
    id: inspection.id,
    keyword_name: inspection.keyword_name,
    ...toStorefront(inspection.storefront),
    difficulty_score: inspection.difficulty_score ?? null,
    traffic_score: inspection.traffic_score ?? null,
    is_partial: inspection.is_partial,
    last_inspected_at: toTimestamp(inspection.last_inspected_at),
    scored_at: shownDay(inspection.scored_at),
  };
}
