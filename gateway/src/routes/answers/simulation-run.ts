import type {
  AxisDeltas,
  DeltaBasis,
  DeltaBounds,
  ScoredDraft,
  SimulationRun,
} from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import { tieredAxisScores, toTieredAxisScores } from '../shapes/axis-scores.ts';
import * as shapes from '../shapes/shapes.ts';
import { toStorefront, toTimestamp } from './from-proto.ts';

/** Schemas that answers about simulations share. */

export const runId = shapes.rowId('Run id: one per distinct draft.', 12);

export const runScoresDescription =
  'Scores of the last run; null when too few words of the draft could be read.';

export const scoringVersion = shapes.scoringVersion.meta({
  description:
    'Version of the formulas of all scores of the run, also of what it is compared with. Scores of different versions are not comparable: run the draft again.',
  examples: [4],
});

const nullWhenUnknown = 'null when the draft leaves it to the app and it could not be read';

/** A run without its scores: the list and the full run have different schemas for them. */
export const runFields = {
  id: runId,
  app_id: shapes.internalId.nullable().meta({
    description: 'Id of the application in Shelfwise; null for a draft without an app.',
    examples: [42],
  }),
  ...shapes.storefront,
  title: z
    .string()
    .nullable()
    .meta({
      description: `Title of the draft; ${nullWhenUnknown}.`,
      examples: ['Habitember: Habit Tracker'],
    }),
  baseline_global: shapes.score.nullable().meta({
    description:
      'The app’s score at the last run of the draft, not today’s, with the keywords field if the account kept one; null when its audit was not shown yet.',
    examples: [55],
  }),
  edited: z.boolean().meta({
    description: 'Whether the draft changes the app’s listing; false: the live listing was scored unchanged.',
  }),
  runs_count: z
    .int()
    .min(1)
    .meta({ description: 'Number of runs of this draft.', examples: [3] }),
  last_run_at: shapes.timestamp.meta({ description: 'Time of the last run.' }),
};

/** @throws when the reply has no storefront or no time */
export function toRunFields(run: SimulationRun) {
  return {
    id: run.id,
    app_id: run.app_id ?? null,
    ...toStorefront(run.storefront),
    title: run.title ?? null,
    baseline_global: run.baseline_global ?? null,
    edited: run.edited,
    runs_count: run.runs_count,
    last_run_at: toTimestamp(run.last_run_at),
  };
}

export const scoredDraft = z
  .object({
    title: z
      .string()
      .nullable()
      .meta({ description: `Name of the app; ${nullWhenUnknown}.` }),
    subtitle: z
      .string()
      .nullable()
      .meta({
        description: `Subtitle, or short description on Google Play; ${nullWhenUnknown}.`,
      }),
    description: z
      .string()
      .nullable()
      .meta({ description: `Description of the app; ${nullWhenUnknown}.` }),
    kw_field: z.string().meta({
      description:
        'Keywords field of the draft, otherwise the kept one; empty on Google Play and when unknown.',
    }),
  })
  .meta({
    description:
      'The texts that were scored: those of the draft, and the app’s live text for every text that the draft omits.',
  });

/** @throws when the reply has no scored texts */
export function toScoredDraft(draft: ScoredDraft | null): z.output<typeof scoredDraft> {
  if (draft === null) throw new Error('the reply of scoring has no texts');
  return {
    title: draft.title ?? null,
    subtitle: draft.subtitle ?? null,
    description: draft.description ?? null,
    kw_field: draft.kw_field,
  };
}

const difference = (scoreName: string) =>
  z
    .int()
    .min(-100)
    .max(100)
    .nullable()
    .meta({
      description: `Change of ${scoreName} from the app to the draft; null while words of either are not read, as notes explain. Phrases that are not read are left out (delta_bounds).`,
      examples: [7],
    });

export const axisDeltas = z
  .object({
    global: difference('the overall score'),
    coverage: difference('coverage'),
    targeting: difference('targeting'),
    appeal: difference('appeal'),
  })
  .nullable()
  .meta({
    description:
      'Change from the app’s own scores, or from those in delta_basis; null for a draft without an app.',
  });

const bounds = (scoreName: string) =>
  z
    .object({
      min: z
        .int()
        .min(-100)
        .max(100)
        .meta({ description: 'The least that the delta can be.', examples: [-2] }),
      max: z
        .int()
        .min(-100)
        .max(100)
        .meta({ description: 'The most that the delta can be.', examples: [9] }),
    })
    .nullable()
    .meta({ description: `Bounds of the change of ${scoreName}; null when that is null.` });

export const deltaBounds = z
  .object({
    global: bounds('the overall score'),
    coverage: bounds('coverage'),
    targeting: bounds('targeting'),
  })
  .nullable()
  .meta({
    description:
      'The range of delta once the phrases that are not read yet are read and nothing else changes, however much people search for them and whether the app can win them or not. Null: every phrase is read, or no delta but that of appeal is known.',
    examples: [
      {
        global: { min: -1, max: 6 },
        coverage: { min: 3, max: 9 },
        targeting: { min: -2, max: 8 },
      },
    ],
  });

export const deltaBasis = z
  .object({
    kw_field: z.literal('empty').meta({
      description: 'The keywords field of the listing that delta compares with.',
      examples: ['empty'],
    }),
    aso_health: tieredAxisScores
      .nullable()
      .meta({ description: 'Scores of that listing; null when too few of its words were read.' }),
  })
  .nullable()
  .meta({
    description:
      'What delta compares with when the draft has a keywords field and that of the app is unknown: the app’s listing with an empty one. Otherwise null: delta compares with the app’s own scores.',
    examples: [
      {
        kw_field: 'empty',
        aso_health: {
          global: 71,
          coverage: 66,
          targeting: 58,
          appeal: 94,
          tier: 2,
          tier_label: 'Growing',
        },
      },
    ],
  });

export function toDeltaBasis(basis: DeltaBasis | null): z.output<typeof deltaBasis> {
  return basis && { kw_field: 'empty', aso_health: basis.aso_health && toTieredAxisScores(basis.aso_health) };
}

export function toAxisDeltas(deltas: AxisDeltas | null): z.output<typeof axisDeltas> {
  return (
    deltas && {
      global: deltas.global ?? null,
      coverage: deltas.coverage ?? null,
      targeting: deltas.targeting ?? null,
      appeal: deltas.appeal ?? null,
    }
  );
}

export function toDeltaBounds(message: DeltaBounds | null): z.output<typeof deltaBounds> {
  return message && { global: message.global, coverage: message.coverage, targeting: message.targeting };
}
