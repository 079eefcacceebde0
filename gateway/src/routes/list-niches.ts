import type { NicheRow } from '@shelfwise/proto/niche/v1/niche';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toStorefront, toTimestamp } from './answers/from-proto.ts';
import { defineRoute } from './route/define-route.ts';
import { pagedList } from './route/paged-list.ts';
import { scoredAt } from './shapes/ages.ts';
import * as shapes from './shapes/shapes.ts';

const row = z.object({
  id: shapes.rowId('Id of the row: one per analysis.', 2),
  topic: shapes.topic,
  ...shapes.storefront,
  clusters_count: shapes.boundedCount(shapes.maxNicheTerms).meta({ description: 'Number of clusters.' }),
  keywords_count: shapes
    .boundedCount(shapes.maxNicheTerms)
    .meta({ description: 'Number of keywords in all clusters.' }),
  top_opportunity_score: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description: 'Highest opportunity score of its clusters, 0 to 100; null without clusters.',
      examples: [47.2],
    }),
  created_at: shapes.timestamp.meta({ description: 'When this account first received the analysis.' }),
  scored_at: scoredAt,
});

type Deps = { niche: Pick<Clients['niche'], 'listNiches'> };

export const listNiches = defineRoute({
  ...pagedList(row),
  path: '/api/v1/niches/history',
  operationId: 'listNiches',
  tag: 'Discovery',
  summary: 'List niche analyses',
  description:
    'One row per analysis that the account has received, newest first. Repeated requests add no row.',
  cost: 0,
  services: ['niche'],
  async handler(deps: Deps, { account, query, call }) {
    const request = { account_id: account.id, page: query.page, per_page: query.per_page };
    const { niches, total } = await deps.niche.listNiches(request, call);
    return { data: niches.map(toRow), meta: shapes.toPaginationMeta(total, query) };
  },
});

function toRow(niche: NicheRow): z.output<typeof row> {
  return {
    id: niche.id,
    topic: niche.topic,
    ...toStorefront(niche.storefront),
    clusters_count: niche.clusters_count,
    keywords_count: niche.keywords_count,
    top_opportunity_score: niche.top_opportunity_score ?? null,
    created_at: toTimestamp(niche.created_at),
    scored_at: niche.analyzed_at?.toISOString() ?? null,
  };
}
