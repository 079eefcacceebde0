import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { mapDatabaseError } from '../http/gateway-errors.ts';
import type { UsageCounters } from '../limits/usage-counters.ts';
import { defineRoute } from './route/define-route.ts';
import * as shapes from './shapes/shapes.ts';

function capOf(what: string) {
  return z
    .int()
    .min(0)
    .nullable()
    .meta({ description: `${what}, at most; null: the plan has no limit.`, examples: [500] });
}

function featureOf(what: string, availability = 'Always false: this version has none.') {
  return z.boolean().meta({ description: `Whether the plan includes ${what}. ${availability}` });
}

type Deps = {
  tracking: Pick<Clients['tracking'], 'getTotals'>;
  counters: Pick<UsageCounters, 'readMonth'>;
};

export const getAccountUsage = defineRoute({
  method: 'get',
  path: '/api/v1/account/usage',
  operationId: 'getAccountUsage',
  tag: 'Account',
  summary: 'Get usage and limits',
  description:
    'What the account tracks now and what it has used in this calendar month (UTC). The call spends no API request: use it before a long job.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  data: z.object({
    plan: z.string().meta({ description: 'Name of the plan.', examples: ['unlimited'] }),
    usage: z
      .object({
        apps: shapes.count.meta({ description: 'Applications tracked now.' }),
        keywords: shapes.count.meta({ description: 'Keywords tracked now.' }),
        competitors: shapes.count.meta({ description: 'Competitors tracked now.' }),
        keyword_inspections: shapes.count.meta({
          description: 'Inspections this month of keywords that the account does not track.',
        }),
        niche_analyses: shapes.count.meta({
          description: 'Niche analyses this month that calls of this account started.',
        }),
        autocomplete_queries: shapes.count.meta({ description: 'Autocomplete queries this month.' }),
        metadata_simulations: shapes.count.meta({ description: 'Simulations this month.' }),
        api_requests: shapes.count.meta({ description: 'API requests this month.' }),
      })
      .meta({ description: 'Current totals, and the usage of this month.' }),
    limits: z
      .object({
        apps: capOf('Applications tracked at a time'),
        keywords: capOf('Keywords tracked at a time'),
        competitors: capOf('Competitors tracked at a time'),
        keyword_inspections_per_month: capOf(
          'Inspections a month of keywords that the account does not track',
        ),
        niche_analyses_per_month: capOf('New niche analyses a month'),
        autocomplete_queries_per_month: capOf('Autocomplete queries a month'),
        metadata_simulations_per_month: capOf('Simulations a month'),
        api_requests_per_month: capOf('API requests a month'),
        historical_data_days: capOf('Days before today that a history may begin'),
      })
      .meta({ description: 'What the plan allows.' }),
    export_csv: featureOf(
      'export as CSV',
      'Always true: lists and histories are CSV for a client that accepts text/csv.',
    ),
    export_pdf: featureOf('export as PDF'),
    ai_inspections: featureOf('inspections by an AI'),
  }),
  async handler(deps: Deps, { account, plan, call, now }) {
    const [totals, monthUsage] = await Promise.all([
      deps.tracking.getTotals({ account_id: account.id }, call),
      mapDatabaseError(deps.counters.readMonth(account.id, now)),
    ]);
    return {
      data: {
        plan: account.plan,
        usage: { ...totals, ...monthUsage },
        limits: plan.limits,
        // Every plan with API access has it.
        export_csv: true,
        // No plan has these features, because Shelfwise does not offer them.
        export_pdf: false,
        ai_inspections: false,
      },
    };
  },
});
