import type { KeywordTracking } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import type { CountUse } from '../limits/count-use.ts';
import { toTimestamp } from './answers/from-proto.ts';
import { shownInspection, toInspection } from './answers/inspection.ts';
import { defineRoute } from './route/define-route.ts';
import { storeNotReadInTime, toCapReachedExample } from './route/error-examples.ts';
import { inStorefront, searchedKeywordField, storefrontFields } from './route/fields.ts';
import { isStale, rankAge } from './shapes/ages.ts';
import { historyMeta, toHistoryMeta } from './shapes/history-meta.ts';
import * as shapes from './shapes/shapes.ts';

const tracking = z.object({
  app_id: shapes.internalId,
  app_title: shapes.appTitle,
  current_rank: shapes.rank,
  ...rankAge,
  is_favorite: shapes.isFavorite,
  tracked_since: shapes.trackedSince,
});

const inspection = shownInspection.extend({
  is_tracked: z
    .boolean()
    .meta({ description: 'Whether this account tracks the keyword for any application.' }),
  user_tracking: z
    .array(tracking)
    .meta({ description: 'The applications of this account that track the keyword.' }),
});

type Deps = {
  tracking: Pick<Clients['tracking'], 'listKeywordTracking'>;
  scoring: Pick<Clients['scoring'], 'inspectKeyword'>;
  countUse: CountUse;
};

export const inspectKeyword = defineRoute({
  method: 'get',
  path: '/api/v1/keywords/inspect',
  operationId: 'inspectKeyword',
  tag: 'Keywords',
  summary: 'Inspect a keyword',
  description:
    'Reads the scores and the result page of any keyword, tracked or not. The inspection is saved in the history. Only inspections of keywords that the account does not track count towards keyword_inspections.',
  cost: 1,
  services: ['tracking', 'scoring'],
  deadlineMs: 35_000,
  query: inStorefront(z.object({ keyword: searchedKeywordField, ...storefrontFields })),
  sample: { query: { keyword: 'habit tracker', store: 'ITUNES', country: 'US', lang: 'en-US' } },
  data: inspection,
  meta: historyMeta,
  errors: {
    PLAN_LIMIT: toCapReachedExample('keyword_inspections'),
    STORE_FETCH_FAILED: storeNotReadInTime,
  },
  async handler(deps: Deps, { account, query, call, now }) {
    const { keyword, ...storefront } = query;
    const request = { account_id: account.id, storefront, keyword };
    // First, because the answer decides whether the inspection counts towards the plan's cap.
    const { rows } = await deps.tracking.listKeywordTracking(request, call);
    const inspect = async () => {
      const reply = await deps.scoring.inspectKeyword(request, call);
      return {
        data: {
          ...toInspection(reply, storefront, { now, isTracked: rows.length > 0 }),
          is_tracked: rows.length > 0,
          user_tracking: rows.map((row) => toTracking(row, now)),
        },
        meta: toHistoryMeta(reply.is_saved),
      };
    };
    return rows.length > 0 ? inspect() : deps.countUse('keyword_inspections', inspect);
  },
});

function toTracking(row: KeywordTracking, now: Date): z.output<typeof tracking> {
  return {
    app_id: row.app_id,
    app_title: row.app_title ?? null,
    current_rank: row.current_rank ?? null,
    rank_date: row.rank_date,
    stale: isStale(row.rank_date, now),
    is_favorite: row.is_favorite,
    tracked_since: toTimestamp(row.tracked_since),
  };
}
