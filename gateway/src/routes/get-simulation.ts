import type { ScoredContext } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { asoReportOfRun, toAsoReportOfRun } from './answers/aso-report.ts';
import {
  axisDeltas,
  deltaBasis,
  deltaBounds,
  runFields,
  runScoresDescription,
  scoredDraft,
  scoringVersion,
  toAxisDeltas,
  toDeltaBasis,
  toDeltaBounds,
  toRunFields,
  toScoredDraft,
} from './answers/simulation-run.ts';
import { defineRoute } from './route/define-route.ts';
import { idParameter } from './route/fields.ts';
import { tieredAxisScores, toTieredAxisScores } from './shapes/axis-scores.ts';
import * as shapes from './shapes/shapes.ts';

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
      .meta({ description: 'Number of ratings.', examples: [73210] }),
    screenshots: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Number of screenshots; null when they could not be read.', examples: [6] }),
    days_since_update: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Whole days since the latest update.', examples: [12] }),
    age_months: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Months since the first release.', examples: [40] }),
    has_video: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the listing has a video.', examples: [false] }),
    language_count: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Number of languages of the listing.', examples: [3] }),
  })
  .meta({ description: 'What was scored besides the texts; null: unknown.' });

type Deps = { scoring: Pick<Clients['scoring'], 'getSimulation'> };

export const getSimulation = defineRoute({
  method: 'get',
  path: '/api/v1/metadata/simulate/history/{id}',
  operationId: 'getSimulation',
  tag: 'Metadata',
  summary: 'Get a saved simulation',
  description: 'A draft with everything that was scored, and the report of its last run.',
  cost: 1,
  services: ['scoring'],
  deadlineMs: 5000,
  params: z.object({
    id: idParameter('Run id, from the list of simulations or from saved.id of a simulation.'),
  }),
  sample: { params: { id: 1 } },
  data: z.object({
    ...runFields,
    listing: scoredDraft,
    kw_field_known: z.boolean().meta({
      description:
        'Whether the keywords field is known; false: it is empty because the App Store never publishes it and the account kept none, not because the draft has none.',
    }),
    context,
    aso_health: tieredAxisScores.nullable().meta({ description: runScoresDescription }),
    delta: axisDeltas,
    delta_bounds: deltaBounds,
    delta_basis: deltaBasis,
    scoring_version: scoringVersion,
    words_probed: shapes.count.meta({ description: 'Number of words that were assessed.' }),
    report: asoReportOfRun.nullable().meta({
      description:
        'Report of the last run, with the words of its fields if that run had include_words; null when too few words could be read.',
    }),
  }),
  errors: {
    NOT_FOUND: 'This account has no simulation run with that id.',
  },
  async handler(deps: Deps, { account, params, call }) {
    const reply = await deps.scoring.getSimulation({ account_id: account.id, id: params.id }, call);
    const { run, report } = reply;
    if (run === null) throw new Error('the reply of scoring has no run');
    return {
      data: {
        ...toRunFields(run),
        listing: toScoredDraft(reply.listing),
        kw_field_known: reply.kw_field_known,
        context: toContext(reply.context),
        aso_health: run.aso_health && toTieredAxisScores(run.aso_health),
        delta: toAxisDeltas(reply.delta),
        delta_bounds: toDeltaBounds(reply.delta_bounds),
        delta_basis: toDeltaBasis(reply.delta_basis),
        scoring_version: run.scoring_version,
        words_probed: reply.words_probed,
        report: report && toAsoReportOfRun(report, { includeWords: reply.has_words }),
      },
    };
  },
});

function toContext(scored: ScoredContext | null): z.output<typeof context> {
  if (scored === null) throw new Error('the reply of scoring has no context');
  return {
    rating: scored.rating ?? null,
    rating_count: scored.rating_count ?? null,
    screenshots: scored.screenshots ?? null,
    days_since_update: scored.days_since_update ?? null,
    age_months: scored.age_months ?? null,
    has_video: scored.has_video ?? null,
    language_count: scored.language_count ?? null,
  };
}
