import {
  type AsoHealthDeps,
  answerAsoHealth,
  asoHealthParams,
  getAsoHealth,
} from '../../routes/get-aso-health.ts';
import { defineRoute } from '../../routes/route/define-route.ts';

/** The stored audit for the page of an app, which shows its scores and flags, but no words to add. */
export const getAuditScores = defineRoute({
  method: 'get',
  path: '/dashboard/apps/{id}/audit',
  operationId: 'getAuditScores',
  tag: 'ASO Health',
  summary: 'Get the scores and flags of the audit',
  description: 'Of the page of an app.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: asoHealthParams,
  data: getAsoHealth.data,
  meta: getAsoHealth.meta,
  handler: (deps: AsoHealthDeps, request) =>
    answerAsoHealth(deps, request, { includeWords: false, withoutTracked: true }),
});
