import type { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { pagedList } from './route/paged-list.ts';
import { job, toJob } from './shapes/job.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = {
  tracking: Pick<Clients['tracking'], 'listJobs'>;
  scoring: Pick<Clients['scoring'], 'listJobs'>;
};

export const listJobs = defineRoute({
  ...pagedList(job),
  path: '/api/v1/jobs',
  operationId: 'listJobs',
  tag: 'Keywords',
  summary: 'List jobs',
  description:
    'Newest first: the open jobs, and those that ended within 30 days of their creation, at most the last 20 of each kind.',
  cost: 0,
  services: ['tracking', 'scoring'],
  async handler(deps: Deps, { account, query, call }) {
    const request = { account_id: account.id };
    // Each has a few at most, so that both are read as a whole.
    const replies = await Promise.all([
      deps.tracking.listJobs(request, call),
      deps.scoring.listJobs(request, call),
    ]);
    const jobs = replies.flatMap(({ jobs }) => jobs.map(toJob)).sort(byNewest);
    const start = (query.page - 1) * query.per_page;
    return {
      data: jobs.slice(start, start + query.per_page),
      meta: shapes.toPaginationMeta(jobs.length, query),
    };
  },
});

type Job = z.output<typeof job>;

function byNewest(one: Job, other: Job): number {
  return Date.parse(other.created_at) - Date.parse(one.created_at) || other.id - one.id;
}
