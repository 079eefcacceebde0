import { z } from 'zod';
import type { Clients } from '../../src/clients.ts';
import { defineRoute } from '../../src/routes/route/define-route.ts';

type Deps = { tracking: Pick<Clients['tracking'], 'getTotals'> };

/** An endpoint that spends quota, for tests of the pipeline: it answers with totals from tracking. */
export const probe = defineRoute({
  method: 'get',
  path: '/api/v1/probe/{id}',
  operationId: 'probe',
  tag: 'Account',
  summary: 'Probe',
  description: 'Calls the tracking service.',
  cost: 1,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: z.string().regex(/^\d+$/, 'must be digits') }),
  sample: { params: { id: '1' } },
  data: z.object({ apps: z.int() }),
  errors: { STORE_FETCH_FAILED: 'The store was not read in time.', NOT_FOUND: 'Not there.' },
  async handler(deps: Deps, { account, call }) {
    const { apps } = await deps.tracking.getTotals({ account_id: account.id }, call);
    return { data: { apps } };
  },
});
