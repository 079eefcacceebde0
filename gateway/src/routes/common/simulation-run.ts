import type { AxisDeltas, ScoredDraft, SimulationRun } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import { toMarket, toTimestamp } from './from-proto.ts';
import * as shapes from './shapes.ts';

/** What answers about simulations share. */

export const runId = z
  .int()
  .min(1)
  .meta({ description: 'Run id: one per distinct draft.', examples: [12] });

/** A run without its scores, which the list and the full record show differently. */
export const runFields = {
  id: runId,
  app_id: shapes.internalId.nullable().meta({
    description: 'Internal app id; null for a draft from scratch.',
    examples: [42],
  }),
  store: shapes.store,
  country: shapes.country,
  lang: shapes.lang,
  title: z.string().meta({ description: 'Title of the draft.', examples: ['Habitember: Habit Tracker'] }),
  baseline_global: shapes.score.nullable().meta({
    description:
      'The app’s score when the draft was run last, not today’s; null when not all of its words had been read.',
    examples: [55],
  }),
  edited: z.boolean().meta({ description: 'false: the app’s live listing, scored as it was.' }),
  runs_count: z
    .int()
    .min(1)
    .meta({ description: 'How often this draft was run.', examples: [3] }),
  last_run_at: shapes.timestamp.meta({ description: 'When it was run last.' }),
};

/** @throws when scoring left out what every run has */
export function toRunFields(run: SimulationRun) {
  const { id, title, edited } = run;
  return {
    id,
    app_id: run.app_id ?? null,
    ...toMarket(run.storefront),
    title,
    baseline_global: run.baseline_global ?? null,
    edited,
    runs_count: run.runs_count,
    last_run_at: toTimestamp(run.last_run_at),
  };
}

export const scoredDraft = z
  .object({
    title: z.string().meta({ description: 'Name of the app.' }),
    subtitle: z.string().meta({ description: 'Subtitle, or short description on Google Play.' }),
    description: z.string().meta({ description: 'Description.' }),
    kw_field: z
      .string()
      .meta({ description: 'Keywords field; empty on Google Play and when it is not known.' }),
  })
  .meta({ description: 'What was scored: the draft, and the app’s live texts where the draft has none.' });

/** @throws when scoring left out the texts that it scored */
export function toScoredDraft(draft: ScoredDraft | null): z.output<typeof scoredDraft> {
  if (draft === null) throw new Error('scoring answered without the texts');
  return draft;
}

const difference = (of: string) =>
  z
    .int()
    .min(-100)
    .max(100)
    .nullable()
    .meta({
      description: `Draft less app: ${of}; null when it is not known for both, because words have not been read yet.`,
      examples: [7],
    });

export const axisDeltas = z
  .object({
    global: difference('overall score'),
    coverage: difference('coverage'),
    targeting: difference('targeting'),
    appeal: difference('appeal'),
  })
  .nullable()
  .meta({ description: 'Against the app’s stored score; null for a draft from scratch.' });

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
