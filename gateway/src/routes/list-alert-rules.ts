import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { pagedList, pageFields } from './route/paged-list.ts';
import { alertRule, toAlertRule } from './shapes/alert-rule.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = { notify: Pick<Clients['notify'], 'listAlertRules'> };
type Rule = z.output<typeof alertRule>;

/** Ids of keywords and of channels are in one cell each, separated by spaces. */
const csvRow = alertRule
  .omit({ channels: true, keywords: true })
  .extend({ keywords: z.string(), channels: z.string() });

export const listAlertRules = defineRoute({
  ...pagedList(alertRule, csvTable(csvRow, toCsvRows)),
  path: '/api/v1/alerts/rules',
  operationId: 'listAlertRules',
  tag: 'Alerts',
  summary: 'List the alert rules',
  description:
    'The rules of this account, oldest first. A new account has four: rank_drop, left_top, listing_changed and store_blocked, for all of its applications. They may be changed and deleted.',
  cost: 0,
  services: ['notify'],
  query: z.object(pageFields),
  async handler(deps: Deps, { account, query, call }) {
    const { page, per_page: perPage } = query;
    const request = { account_id: account.id, page, per_page: perPage };
    const { rules, total } = await deps.notify.listAlertRules(request, call);
    return { data: rules.map(toAlertRule), meta: shapes.toPaginationMeta(total, query) };
  },
});

function* toCsvRows(rules: readonly Rule[]): Generator<z.output<typeof csvRow>> {
  for (const { channels, keywords, ...rule } of rules)
    yield {
      ...rule,
      keywords: typeof keywords === 'string' ? keywords : keywords.join(' '),
      channels: channels.join(' '),
    };
}
