import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { keywordScores, scoreHistoryCsv, toKeywordScores } from './answers/keyword-scores.ts';
import { defineRoute } from './route/define-route.ts';
import { beyondPlan, nothingKnown } from './route/error-examples.ts';
import { inStorefront, searchedKeywordField, storefrontFields } from './route/fields.ts';
import { historyMeta, historyQuery, resolveHistoryWindow } from './route/history-window.ts';

type Deps = {
  tracking: Pick<Clients['tracking'], 'listKeywordTracking'>;
  scoring: Pick<Clients['scoring'], 'getKeywordScores'>;
};

export const getKeywordScores = defineRoute({
  method: 'get',
  path: '/api/v1/keywords/scores',
  operationId: 'getKeywordScores',
  tag: 'Keywords',
  summary: 'Explain the scores of any known keyword',
  description:
    'How the stored scores of a keyword were computed: parts, weights, and inputs with source and age; and its scores of past days, which are its CSV. No store is read: a keyword without stored scores is 404. Of a keyword that the account does not track, times are shown to the day.',
  cost: 1,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  query: inStorefront(z.object({ keyword: searchedKeywordField, ...storefrontFields, ...historyQuery })),
  sample: { query: { keyword: 'habit tracker', store: 'ITUNES', country: 'US', lang: 'en-US' } },
  data: keywordScores,
  csv: scoreHistoryCsv,
  meta: z.object(historyMeta),
  errors: { NOT_FOUND: nothingKnown, PLAN_LIMIT: beyondPlan },
  async handler(deps: Deps, { account, plan, query, call, now }) {
    const { keyword, store, country, lang } = query;
    const window = resolveHistoryWindow(query, { plan, now });
    const storefront = { store, country, lang };
    const [reply, { rows }] = await Promise.all([
      deps.scoring.getKeywordScores({ storefront, keyword, ...window }, call),
      deps.tracking.listKeywordTracking({ account_id: account.id, storefront, keyword }, call),
    ]);
    return { data: toKeywordScores(reply, now, rows.length > 0), meta: window };
  },
});
