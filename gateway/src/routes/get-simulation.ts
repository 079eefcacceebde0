import type { ScoredContext } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { tieredAxisScores, toTieredAxisScores } from './common/axis-scores.ts';
import { idParameter } from './common/fields.ts';
import { healthReport, toHealthReport } from './common/health-report.ts';
import * as shapes from './common/shapes.ts';
import {
  axisDeltas,
  runFields,
  scoredDraft,
  toAxisDeltas,
  toRunFields,
  toScoredDraft,
} from './common/simulation-run.ts';
import { getSimulationExample } from './examples/get-simulation-example.ts';

const context = z
  .object({
    rating: z
      .number()
      .min(0)
      .max(5)
      .nullable()
      .meta({ description: 'Average rating.', examples: [4.4] }),
    rating_count: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'How many ratings.', examples: [73210] }),
    screenshots: z
      .int()
      .min(0)
      .meta({ description: 'How many screenshots.', examples: [6] }),
    days_since_update: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Whole days.', examples: [12] }),
    age_months: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Months since it came out.', examples: [40] }),
    has_video: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether it has a video.', examples: [false] }),
    language_count: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Languages that it is written in.', examples: [3] }),
  })
  .meta({ description: 'What was scored beside the texts; null: nobody knows it.' });

export const getSimulation = defineRoute({
  method: 'get',
  path: '/api/v1/metadata/simulate/history/{id}',
  operationId: 'getSimulation',
  summary: 'One saved simulation',
  description: 'A draft with all that was scored, and the report of its last run.',
  cost: 1,
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Run id, as the list or saved.id of a simulation names it.') }),
  query: z.object({}),
  body: null,
  data: z.object({
    ...runFields,
    listing: scoredDraft,
    kw_field_known: z.boolean().meta({
      description:
        'false: the keywords field was empty because the App Store never published it, not because the draft has none.',
    }),
    context,
    aso_health: tieredAxisScores.meta({ description: 'Scores of the last run.' }),
    delta: axisDeltas,
    words_probed: shapes.count.meta({ description: 'How many words were weighed.' }),
    report: healthReport
      .nullable()
      .meta({ description: 'Null when it was made by an older version whose axes are gone.' }),
  }),
  meta: null,
  example: getSimulationExample,
  errors: {
    NOT_FOUND: 'This account has no simulation run with that id.',
  },
  async handler({ account, params, clients, call }) {
    const reply = await clients.scoring.getSimulation({ account_id: account.id, id: params.id }, call);
    const { run, listing, context: scored, delta, report } = reply;
    if (run === null) throw new Error('scoring answered without the run');
    return {
      data: {
        ...toRunFields(run),
        listing: toScoredDraft(listing),
        kw_field_known: reply.kw_field_known,
        context: toContext(scored),
        aso_health: toTieredAxisScores(run.aso_health),
        delta: toAxisDeltas(delta),
        words_probed: reply.words_probed,
        report: report && toHealthReport(report, { includeWords: false }),
      },
    };
  },
});

function toContext(scored: ScoredContext | null): z.output<typeof context> {
  if (scored === null) throw new Error('scoring answered without the context');
  return {
    rating: scored.rating ?? null,
    rating_count: scored.rating_count ?? null,
    screenshots: scored.screenshots,
    days_since_update: scored.days_since_update ?? null,
    age_months: scored.age_months ?? null,
    has_video: scored.has_video ?? null,
    language_count: scored.language_count ?? null,
  };
}
