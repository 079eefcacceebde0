import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toStorefront } from './answers/from-proto.ts';
import { keywordScores, scoreHistoryCsv, toKeywordScores } from './answers/keyword-scores.ts';
import { defineRoute, type RouteRequest } from './route/define-route.ts';
import { beyondPlan } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import { historyMeta, historyQuery, resolveHistoryWindow } from './route/history-window.ts';
import * as shapes from './shapes/shapes.ts';

export type TrackedScoresDeps = {
  tracking: Pick<Clients['tracking'], 'getKeyword'>;
  scoring: Pick<Clients['scoring'], 'getKeywordScores'>;
};

const params = z.object({ id: idParameter('Keyword id.') });
const query = z.object(historyQuery);

export const getTrackedKeywordScores = defineRoute({
  method: 'get',
  path: '/api/v1/keywords/{id}/scores',
  operationId: 'getTrackedKeywordScores',
  tag: 'Keywords',
  summary: 'Explain the scores of a tracked keyword',
  description:
    'How the stored scores of a keyword that the account tracks or tracked were computed: parts, weights, and inputs with source and age; and its scores of past days, which are its CSV. No store is read: a keyword without stored scores, as in the first minute after it is tracked, is 404, too. Of a keyword that the account does not track any more, times are shown to the day.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params,
  query,
  sample: { params: { id: 1 } },
  data: z.object({ keyword_id: shapes.keywordId, ...keywordScores.shape }),
  csv: scoreHistoryCsv,
  meta: z.object(historyMeta),
  errors: { NOT_FOUND: 'This account has never tracked a keyword with that id.', PLAN_LIMIT: beyondPlan },
  handler: async (deps: TrackedScoresDeps, request) =>
    (await answerTrackedScores(deps, request, { withRelated: false })).answer,
});

/** @returns the answer of the endpoint, and the related keywords: null if they are not requested, or not known */
export async function answerTrackedScores(
  deps: TrackedScoresDeps,
  { account, plan, params: { id }, query: sent, call, now }: RouteRequest<typeof params, typeof query, null>,
  { withRelated }: { withRelated: boolean },
) {
  const window = resolveHistoryWindow(sent, { plan, now });
  const found = await deps.tracking.getKeyword({ account_id: account.id, keyword_id: id }, call);
  const { keyword } = found;
  const storefront = toStorefront(found.storefront);
  const reply = await deps.scoring.getKeywordScores(
    { storefront, keyword, ...window, with_related: withRelated ? true : undefined },
    call,
  );
  const scores = toKeywordScores(reply, now, found.is_tracked);
  return {
    answer: { data: { keyword_id: found.keyword_id, ...scores }, meta: window },
    related: reply.related?.terms ?? null,
  };
}
