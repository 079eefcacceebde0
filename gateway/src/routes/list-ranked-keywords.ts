import { z } from 'zod';
import type { Clients } from '../clients.ts';
import {
  keptAge,
  keptMeta,
  keptTerm,
  seenPages,
  termListFields,
  toKeptMeta,
  toKeptTerm,
  toTermListQuery,
} from './answers/kept-term.ts';
import { csvOfList } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { inStorefront, scoreParameter, storefrontFields, storeIdentifierField } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

const rankedKeyword = z.object({
  ...keptTerm,
  rank: z
    .int()
    .min(1)
    .max(100)
    .meta({ description: 'Rank of the app on the page.', examples: [3] }),
  ...keptAge,
  is_tracked: z.boolean().meta({
    description: 'Whether this account tracks the term for any application of the storefront.',
    examples: [false],
  }),
});

type Deps = { scoring: Pick<Clients['scoring'], 'listRankedKeywords'> };

export const listRankedKeywords = defineRoute({
  method: 'get',
  path: '/api/v1/keywords/ranked-by',
  operationId: 'listRankedKeywords',
  tag: 'Keywords',
  summary: 'List the terms for which an app ranks',
  description: `The terms on whose result page any app ranks, tracked or not. The most valuable comes first: by the searches that reach the app at its rank, as in its visibility. ${seenPages} Empty: no such page has the app, which does not mean that it ranks for nothing.`,
  cost: 1,
  services: ['scoring'],
  deadlineMs: 5000,
  query: inStorefront(
    z.object({
      app_id: storeIdentifierField,
      ...storefrontFields,
      min_traffic: scoreParameter(
        'Only terms with at least this traffic_score. One whose score is null is left out, also at 0.',
      ).optional(),
      ...termListFields({
        sorts: ['value', 'traffic', 'difficulty', 'kei', 'rank', 'keyword'],
        rank: 'that of the app. value: the searches that reach it',
        tracked: 'Only terms that the account tracks (yes) or does not track (no).',
      }),
    }),
  ),
  sample: {
    query: { app_id: '9048598736', store: 'ITUNES', country: 'US', lang: 'en-US', tracked: 'yes' },
  },
  data: z.array(rankedKeyword).max(shapes.maxListRows),
  csv: csvOfList(rankedKeyword),
  meta: shapes.paginationMeta.extend(keptMeta),
  async handler(deps: Deps, { account, query, call, now }) {
    const { app_id, store, country, lang } = query;
    const { terms, total, kept } = await deps.scoring.listRankedKeywords(
      {
        account_id: account.id,
        storefront: { store, country, lang },
        app_id,
        query: toTermListQuery(query),
      },
      call,
    );
    return {
      data: terms.map(({ term, rank }) => {
        const { scores, age, is_tracked } = toKeptTerm(term, now);
        return { ...scores, rank, ...age, is_tracked };
      }),
      meta: { ...shapes.toPaginationMeta(total, query), ...toKeptMeta(kept) },
    };
  },
});
