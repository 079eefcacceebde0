import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { axisScores, toAxisScores } from './common/axis-scores.ts';
import { historyPageFields, maxHistoryRows } from './common/fields.ts';
import { paginationOf } from './common/pagination.ts';
import * as shapes from './common/shapes.ts';
import { runFields, toRunFields } from './common/simulation-run.ts';
import { listSimulationsExample } from './examples/list-simulations-example.ts';

/** Code points, which zod and the document count. Scoring takes 400 UTF-16 units: as many code points as this always fit. */
const maxSearchLength = 200;

export const listSimulations = defineRoute({
  method: 'get',
  path: '/api/v1/metadata/simulate/history',
  operationId: 'listSimulations',
  summary: 'List saved simulations',
  description: 'One row per distinct draft, the one that was run last first.',
  cost: 1,
  deadlineMs: 5000,
  params: z.object({}),
  query: z.object({
    ...historyPageFields,
    search: z
      .string()
      .max(maxSearchLength)
      .meta({
        description: 'Part of a draft’s title, in any letter case, taken literally. Empty: all drafts.',
        examples: ['habit'],
      })
      .optional(),
  }),
  body: null,
  data: z
    .array(
      z.object({
        ...runFields,
        title: runFields.title.meta({ description: 'Title of the draft, its first 160 characters.' }),
        aso_health: axisScores.meta({ description: 'Scores of the last run.' }),
      }),
    )
    .max(maxHistoryRows),
  meta: shapes.paginationMeta,
  example: listSimulationsExample,
  errors: {},
  async handler({ account, query, clients, call }) {
    const { page, per_page: perPage, search } = query;
    const request = { account_id: account.id, page, per_page: perPage, search: search || undefined };
    const { runs, total } = await clients.scoring.listSimulations(request, call);
    return {
      data: runs.map((run) => ({ ...toRunFields(run), aso_health: toAxisScores(run.aso_health) })),
      meta: paginationOf(total, page, perPage),
    };
  },
});
