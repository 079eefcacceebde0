import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { idParameter } from './route/fields.ts';
import { alertRule } from './shapes/alert-rule.ts';

type Deps = { notify: Pick<Clients['notify'], 'deleteAlertRule'> };

export const deleteAlertRule = defineRoute({
  method: 'delete',
  path: '/api/v1/alerts/rules/{rule_id}',
  operationId: 'deleteAlertRule',
  tag: 'Alerts',
  summary: 'Delete an alert rule',
  description: 'Alerts that it has found stay in the feed. Repeating the call is safe.',
  cost: 0,
  services: ['notify'],
  deadlineMs: 5000,
  params: z.object({ rule_id: idParameter('Id of the rule, from the list of rules.') }),
  sample: { params: { rule_id: 1 } },
  data: z.object({
    id: alertRule.shape.id,
    already_removed: z
      .boolean()
      .meta({ description: 'Whether the account had no such rule.', examples: [false] }),
  }),
  async handler(deps: Deps, { account, params, call }) {
    const reply = await deps.notify.deleteAlertRule({ account_id: account.id, id: params.rule_id }, call);
    return { data: { id: reply.id, already_removed: reply.already_removed } };
  },
});
