import { z } from 'zod';
import {
  answerTrackedScores,
  getTrackedKeywordScores,
  type TrackedScoresDeps,
} from '../../routes/get-tracked-keyword-scores.ts';
import { defineRoute } from '../../routes/route/define-route.ts';

const relatedTerm = z.object({ keyword: z.string(), traffic: z.number().nullable() });

/** The scores of a tracked keyword with related keywords, for the page only: both are what is kept, and no store is read. */
export const findKeptScores = defineRoute({
  method: 'get',
  path: '/dashboard/keywords/{id}/scores',
  operationId: 'findKeptScores',
  tag: 'Keywords',
  summary: 'Find kept scores and related keywords',
  description: 'Of the page of a keyword.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: getTrackedKeywordScores.params,
  query: getTrackedKeywordScores.query,
  data: z.object({ scores: getTrackedKeywordScores.data, related: z.array(relatedTerm).nullable() }),
  async handler(deps: TrackedScoresDeps, request) {
    const { answer, related } = await answerTrackedScores(deps, request, { withRelated: true });
    const terms = related?.map(({ keyword, traffic_score: traffic = null }) => ({ keyword, traffic }));
    return { data: { scores: answer.data, related: terms ?? null } };
  },
});
