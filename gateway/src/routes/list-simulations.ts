import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { runFields, runScoresDescription, scoringVersion, toRunFields } from './answers/simulation-run.ts';
import { defineRoute } from './route/define-route.ts';
import { pagedList, pageFields } from './route/paged-list.ts';
import { axisScores, toAxisScores } from './shapes/axis-scores.ts';
import * as shapes from './shapes/shapes.ts';

/** In code points, as zod and the document count. Scoring accepts 400 UTF-16 units, in which 200 code points always fit. */
const maxSearchLength = 200;

const row = z.object({
  ...runFields,
  title: runFields.title.meta({
    description: 'First 160 characters of the draft’s title; null when it is unknown.',
  }),
  aso_health: axisScores.nullable().meta({ description: runScoresDescription }),
  delta_global: z
    .int()
    .min(-100)
    .max(100)
    .nullable()
    .meta({
      description:
        'The change of the overall score that the last run showed. It is not the score minus baseline_global when the run was compared with an empty keywords field. Null: nothing to compare with.',
      examples: [5],
    }),
  scoring_version: scoringVersion,
});

type Deps = { scoring: Pick<Clients['scoring'], 'listSimulations'> };

export const listSimulations = defineRoute({
  ...pagedList(row),
  path: '/api/v1/metadata/simulate/history',
  operationId: 'listSimulations',
  tag: 'Metadata',
  summary: 'List saved simulations',
  description: 'One row per distinct draft, most recently run first.',
  cost: 1,
  services: ['scoring'],
  query: z.object({
    ...pageFields,
    search: z
      .string()
      .max(maxSearchLength)
      .meta({
        description:
          'Part of a draft’s title, matched literally in any letter case, apart from invisible characters. Empty: all drafts.',
        examples: ['habit'],
      })
      .optional(),
  }),
  async handler(deps: Deps, { account, query, call }) {
    const request = {
      account_id: account.id,
      page: query.page,
      per_page: query.per_page,
      search: query.search || undefined,
    };
    const { runs, total } = await deps.scoring.listSimulations(request, call);
    return {
      data: runs.map((run) => ({
        ...toRunFields(run),
        aso_health: run.aso_health && toAxisScores(run.aso_health),
        delta_global: run.delta_global ?? null,
        scoring_version: run.scoring_version,
      })),
      meta: shapes.toPaginationMeta(total, query),
    };
  },
});
