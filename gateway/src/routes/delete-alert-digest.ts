import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { idParameter } from './route/fields.ts';
import { alertDigest } from './shapes/alert-digest.ts';

type Deps = { notify: Pick<Clients['notify'], 'deleteAlertDigest'> };

export const deleteAlertDigest = defineRoute({
  method: 'delete',
  path: '/api/v1/alerts/digests/{digest_id}',
  operationId: 'deleteAlertDigest',
  tag: 'Alerts',
  summary: 'Delete a digest',
  description: 'What it would have had is in the feed. Repeating the call is safe.',
  cost: 0,
  services: ['notify'],
  deadlineMs: 5000,
  params: z.object({ digest_id: idParameter('Id of the digest, from the list of digests.') }),
  sample: { params: { digest_id: 1 } },
  data: z.object({
    id: alertDigest.shape.id,
    already_removed: z
      .boolean()
      .meta({ description: 'Whether the account had no such digest.', examples: [false] }),
  }),
  async handler(deps: Deps, { account, params, call }) {
    const reply = await deps.notify.deleteAlertDigest({ account_id: account.id, id: params.digest_id }, call);
    return { data: { id: reply.id, already_removed: reply.already_removed } };
  },
});
