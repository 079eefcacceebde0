import type { ScoreBreakdown, ScoreComponent } from '@shelfwise/proto/scoring/v1/score_breakdown';
import type { GetKeywordScoresReply } from '@shelfwise/proto/scoring/v1/scoring';
import { dayMs } from '@shelfwise/runtime/day';
import { z } from 'zod';
import { csvTable } from '../route/csv-table.ts';
import { maxWindowDays } from '../route/history-window.ts';
import { isStale, rankAge, scoredAt, shownTime } from '../shapes/ages.ts';
import { keiFields, keiScore, toKei } from '../shapes/kei.ts';
import * as shapes from '../shapes/shapes.ts';
import { toStorefront, toTimestamp } from './from-proto.ts';

const share = z.number().min(0).max(1);

const part = z.object({
  name: z.string().meta({ description: 'Name in the formulas (docs/scores.md).', examples: ['suggest'] }),
  meaning: z.string().meta({
    description: 'What the part measures.',
    examples: ['How early the store suggests the keyword while it is typed, and how high in the list.'],
  }),
  weight: share.meta({
    description: 'Weight, scaled so that those of the known parts add up to 1; 0 for an unknown part.',
    examples: [0.35],
  }),
  value: share.nullable().meta({ description: 'Value, 0 to 1; null: unknown.', examples: [0.62] }),
  points: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description:
        'What the part adds to the score; null: unknown. Those of the difficulty add up to values.raw; values.cap and values.limit may lower it (`notes` says so).',
      examples: [20.3],
    }),
  max_points: z
    .number()
    .min(0)
    .max(100)
    .meta({ description: 'The most that the part can add.', examples: [32.7] }),
  sentence: z.string().meta({
    description: 'The part in one sentence.',
    examples: [
      'How early the store suggests the keyword while it is typed, and how high in the list: 0.62 of 1, which adds 20.3 of at most 32.7 points.',
    ],
  }),
});

const input = z.object({
  name: z
    .enum(['result page', 'app details', 'suggestions', 'top chart'])
    .meta({ description: 'What was read.', examples: ['result page'] }),
  read_at: shapes.timestamp.nullable().meta({ description: 'When the store was read; null: not read.' }),
  age_days: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'Age of the reading in whole days; null: not read.', examples: [2] }),
  source: z
    .string()
    .nullable()
    .meta({
      description: 'Where it was read: sample, app-store or google-play; null: not read.',
      examples: ['app-store'],
    }),
  note: z.string().meta({ description: 'What was read, in words.', examples: ['87 results on 2026-01-31'] }),
});

const rankedApp = z.object({
  rank: z
    .int()
    .min(1)
    .max(10)
    .meta({ description: 'Rank on the result page.', examples: [1] }),
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  ratings: shapes.ratingCount,
  rating: shapes.rating,
  installs: z
    .int()
    .min(0)
    .nullable()
    .meta({
      description: 'Google Play only: at least this many installs; null: unknown.',
      examples: [500_000],
    }),
  updated_at: shapes.timestamp.nullable().meta({ description: 'Date of the newest release; null: unknown.' }),
  evidence: share.nullable().meta({
    description: 'How well the title names the keyword, 0 to 1; null when the title could not be read.',
    examples: [1],
  }),
});

const scoreDay = z.object({
  date: shapes.date,
  difficulty_score: shapes.measuredScore('How hard it was to rank'),
  traffic_score: shapes.measuredScore('How much it was searched for'),
  kei_score: keiScore
    .nullable()
    .meta({ description: 'KEI, 0 to 100; null when one of the two scores is null.', examples: [47.3] }),
  is_partial: shapes.isPartial,
  scoring_version: shapes.scoringVersion,
});

const keywordFields = {
  keyword: shapes.keyword,
  ...shapes.storefront,
};

/** How the scores of a keyword were computed, and what they were on earlier days. */
export const keywordScores = z.object({
  ...keywordFields,
  difficulty_score: shapes.measuredScore('How hard it is to rank'),
  traffic_score: shapes.measuredScore('How much it is searched for'),
  is_partial: shapes.isPartial,
  ...keiFields,
  scoring_version: shapes.scoringVersion,
  scored_at: scoredAt.meta({
    description:
      'When the scores were computed. To the day (UTC), as read_at of the inputs, for a keyword that the account does not track.',
  }),
  rank_date: rankAge.rank_date.nullable().meta({
    description: 'UTC day on which the result page was read; null: it was not read, and stale is true.',
  }),
  stale: rankAge.stale,
  difficulty_parts: z
    .array(part)
    .meta({ description: 'The parts of the difficulty; empty while it is unknown.' }),
  traffic_parts: z.array(part).meta({ description: 'The parts of the traffic; empty while it is unknown.' }),
  notes: z.array(z.string()).meta({
    description: 'What else decided the scores, in a sentence each; usually none.',
    examples: [['With 3 results the difficulty is at most 30.']],
  }),
  values: z.record(z.string(), z.number().min(0).max(100)).meta({
    description:
      'Values between the parts and the scores, by their names in docs/scores.md; in addition places, the number of apps among the first ten, and limit, the highest difficulty with so few. Unknown ones are absent.',
    examples: [{ raw: 56.8, cap: 83, places: 10, limit: 100, base: 0.61, words: 2, spec: 0.9 }],
  }),
  inputs: z.array(input).meta({ description: 'What the scores were computed from.' }),
  apps: z.array(rankedApp).max(10).meta({ description: 'The first ten apps of the result page.' }),
  suggestions: z
    .array(
      z.object({
        prefix: z.string().meta({ description: 'What was typed.', examples: ['habit t'] }),
        place: z
          .int()
          .min(1)
          .nullable()
          .meta({
            description: 'Place of the keyword in the list, from 1; null: not suggested.',
            examples: [1],
          }),
        size: shapes.count.meta({ description: 'Number of suggestions.' }),
      }),
    )
    .meta({ description: 'Where the store suggests the keyword, in the order in which it was asked.' }),
  history: z.array(scoreDay).max(maxWindowDays).meta({
    description: 'The last scores of each day of the window on which it was measured, oldest first.',
  }),
});

/** The history as CSV: one row per day. What explains the scores has no form in a table. */
export const scoreHistoryCsv = csvTable(
  z.object({ ...keywordFields, ...scoreDay.shape }),
  ({ keyword, store, country, lang, history }: z.output<typeof keywordScores>) =>
    history.map((day) => ({ keyword, store, country, lang, ...day })),
);

/**
 * @param isTracked whether the account tracks the keyword (`shownTime`)
 * @throws when a service's reply has no scores
 */
export function toKeywordScores(
  { breakdown, history }: GetKeywordScoresReply,
  now: Date,
  isTracked: boolean,
): z.output<typeof keywordScores> {
  if (breakdown === null) throw new Error('the reply of a service has no scores');
  const rankDate = breakdown.rank_date ?? null;
  const { kei, kei_level: level, kei_reason: reason } = breakdown;
  const shown = (at: Date | null) => shownTime(at, { isTracked });
  return {
    keyword: breakdown.keyword,
    ...toStorefront(breakdown.storefront),
    difficulty_score: breakdown.difficulty ?? null,
    traffic_score: breakdown.traffic ?? null,
    is_partial: breakdown.is_partial,
    kei: kei == null || level == null ? null : toKei({ score: kei, level, reason }),
    is_navigational: rankDate === null ? null : breakdown.is_navigational,
    is_searched: breakdown.is_searched ?? null,
    scoring_version: breakdown.scoring_version,
    scored_at: toTimestamp(shown(breakdown.scored_at)),
    rank_date: rankDate,
    stale: isStale(rankDate, now),
    difficulty_parts: breakdown.difficulty_components.map(toPart),
    traffic_parts: breakdown.traffic_components.map(toPart),
    notes: breakdown.notes,
    values: Object.fromEntries(breakdown.intermediate_values.map(({ name, value }) => [name, round4(value)])),
    inputs: breakdown.inputs.map((read) => toInput({ ...read, read_at: shown(read.read_at) }, now)),
    apps: breakdown.apps.map((app) => ({
      ...app,
      title: app.title ?? null,
      evidence: app.evidence ?? null,
      ratings: app.ratings ?? null,
      rating: app.rating ?? null,
      installs: app.installs ?? null,
      updated_at: app.updated_at?.toISOString() ?? null,
    })),
    suggestions: breakdown.probes.map(({ prefix, index, size }) => ({
      prefix,
      place: index == null ? null : index + 1,
      size,
    })),
    history: history.map(({ date, difficulty, traffic, kei, ...day }) => ({
      date,
      difficulty_score: difficulty ?? null,
      traffic_score: traffic ?? null,
      kei_score: kei ?? null,
      ...day,
    })),
  };
}

function toPart({
  weight,
  value,
  points,
  max_points: maxPoints,
  ...texts
}: ScoreComponent): z.output<typeof part> {
  return {
    ...texts,
    weight: round4(weight),
    value: value == null ? null : round4(value),
    points: points == null ? null : round4(points),
    max_points: round4(maxPoints),
  };
}

/** Without the last digits of floating-point sums, such as 55.00000000000001. */
function round4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function toInput(
  { name, read_at: readAt, source, note }: ScoreBreakdown['inputs'][number],
  now: Date,
): z.output<typeof input> {
  return {
    name: input.shape.name.parse(name),
    read_at: readAt?.toISOString() ?? null,
    age_days: readAt && Math.max(0, Math.floor((now.getTime() - readAt.getTime()) / dayMs)),
    source: source || null,
    note,
  };
}
