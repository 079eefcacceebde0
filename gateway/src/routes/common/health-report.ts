import type {
  Appeal,
  AsoReport,
  Evidence,
  FieldEntry,
  Flag,
  Targeting,
  WordEntry,
} from '@shelfwise/proto/scoring/v1/aso_report';
import { z } from 'zod';
import { tierFields, toTierFields } from './axis-scores.ts';
import { toTimestamp } from './from-proto.ts';
import * as shapes from './shapes.ts';

/** The ASO Health report, as an audit and a saved simulation show it. */

const axisKey = z
  .enum(['coverage', 'targeting', 'appeal'])
  .meta({ description: 'Which of the three axes.', examples: ['coverage'] });

const wordStatus = z
  .enum(['earning', 'already-used', 'not-searched', 'pending', 'covered', 'missing', 'extra-reach'])
  .meta({
    description:
      'earning: searched, and this field is credited. already-used: an earlier field has it, or it is the category’s or the developer’s name and searched, which earns nothing anywhere. pending: no search figures yet. covered, missing, extra-reach: Google Play’s description only.',
    examples: ['earning'],
  });

const word = z.object({
  name: z.string().meta({ description: 'The word in its normal form.', examples: ['habit'] }),
  traffic: shapes.measuredScore('How much it is searched'),
  difficulty: shapes.measuredScore('How hard it is to rank for'),
  occurrences: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'How often it stands there; Google Play’s description only.', examples: [4] }),
  status: wordStatus,
});

const fieldKey = z
  .enum(['title', 'subtitle', 'kw_field', 'description'])
  .meta({ description: 'On Google Play subtitle is the short description.', examples: ['title'] });

const fieldState = z.enum(['scored', 'empty', 'missing']).meta({
  description: 'empty: blank on the store. missing: the App Store never publishes it.',
  examples: ['scored'],
});

const field = z.object({
  key: fieldKey,
  label: z.string().meta({ description: 'The store’s own name of it.', examples: ['App name'] }),
  hint: z.string().nullable().meta({ description: 'What would improve it; null: nothing to say.' }),
  score: shapes.score.nullable().meta({
    description: '0 to 100; null when missing, and where the store does not index it.',
    examples: [74],
  }),
  state: fieldState,
  length: z
    .int()
    .min(0)
    .nullable()
    .meta({
      description: 'UTF-16 units, each line break counted as one; null when missing.',
      examples: [24],
    }),
  limit: z
    .int()
    .min(1)
    .meta({ description: 'The store’s limit, in the same units.', examples: [30] }),
  text: z
    .string()
    .nullable()
    .meta({ description: 'Its beginning, 160 characters at most; null when missing.' }),
  truncated: z.boolean().meta({ description: 'The text is longer than what is shown.' }),
  words: z.array(word).optional().meta({ description: 'Only with include_words=true.' }),
});

const verdict = z.enum(['reachable', 'ambitious', 'out-of-reach']).meta({
  description: 'Whether an app of this tier can rank for it.',
  examples: ['reachable'],
});

const targetedTerm = z.object({
  name: z.string().meta({ description: 'The word or phrase.', examples: ['habit tracker'] }),
  field: z.string().meta({ description: 'Key of the field that carries it first.', examples: ['title'] }),
  traffic: shapes.measuredScore('How much it is searched'),
  difficulty: shapes.measuredScore('How hard it is to rank for'),
  verdict,
});

const targeting = z.object({
  assessable: z.boolean().meta({ description: 'false: the listing holds no searched term at all.' }),
  keywords: z.array(targetedTerm).meta({ description: 'The graded terms that it aims at.' }),
  ungraded: shapes.count.meta({ description: 'Searched terms without competition data.' }),
  unsearched: shapes.count.meta({ description: 'Words that nobody types.' }),
  unsearched_words: z.array(z.string()).meta({ description: 'Those words.', examples: [['habitember']] }),
});

const appeal = z.object({
  rating: z
    .object({
      value: z
        .number()
        .min(0)
        .max(5)
        .nullable()
        .meta({ description: 'Average rating; null when nobody has rated it.', examples: [4.4] }),
    })
    .meta({ description: 'What its users think of it.' }),
  screenshots: z
    .object({
      count: shapes.count.meta({ description: 'How many there are.' }),
      target: z
        .int()
        .min(1)
        .meta({ description: 'How many the store shows well.', examples: [6] }),
    })
    .meta({ description: 'Its pictures.' }),
  freshness: z
    .object({
      days_since_update: z
        .int()
        .min(0)
        .nullable()
        .meta({ description: 'Whole days; null when the store does not say.', examples: [12] }),
    })
    .meta({ description: 'How new its newest release is.' }),
});

const severity = z
  .enum(['critical', 'warning', 'info'])
  .meta({ description: 'How much it matters.', examples: ['warning'] });

/** One finding of an audit. */
export const flag = z.object({
  code: z.string().meta({ description: 'Names the finding.', examples: ['SUBTITLE_UNDERUSED'] }),
  axis: axisKey,
  severity,
  title: z.string().meta({ description: 'The finding in a few words.' }),
  impact: z.string().meta({ description: 'What it costs.' }),
  fix: z.string().meta({ description: 'What to do about it.' }),
  evidence: z
    .record(z.string(), z.union([z.number(), z.string(), z.array(z.string())]))
    .nullable()
    .meta({
      description: 'The figures that raised it, by name; null: none.',
      examples: [{ length: 15, limit: 30 }, { words: ['habit', 'tracker'] }],
    }),
});

export const healthReport = z.object({
  global: shapes.score.meta({
    description:
      'The overall score: the cube root of the product of the three axes. Provisional, and possibly 0, until no word is pending.',
    examples: [72],
  }),
  ...tierFields,
  computed_at: shapes.timestamp.meta({ description: 'When it was computed.' }),
  axes: z
    .array(
      z.object({
        key: axisKey,
        score: shapes.score.meta({ description: '0 to 100.', examples: [89] }),
      }),
    )
    .length(3)
    .meta({ description: 'The three axes. Provisional, and possibly 0, until no word is pending.' }),
  fields: z.array(field).meta({ description: 'The fields of the listing, as the store has them.' }),
  targeting: targeting.meta({ description: 'The terms that it aims at.' }),
  appeal: appeal.meta({ description: 'What makes people install it.' }),
  flags: z.array(flag).meta({ description: 'What to improve.' }),
});

/** @throws when a service left out what every report has, or used a word that the interface does not know */
export function toHealthReport(
  report: AsoReport,
  options: { includeWords: boolean },
): z.output<typeof healthReport> {
  const { global, tier, computed_at: computedAt, axes, fields, flags } = report;
  return {
    global,
    ...toTierFields(tier),
    computed_at: toTimestamp(computedAt),
    axes: axes.map(({ key, score }) => ({ key: axisKey.parse(key), score })),
    fields: fields.map((entry) => toField(entry, options)),
    targeting: toTargeting(report.targeting),
    appeal: toAppeal(report.appeal),
    flags: flags.map(toFlag),
  };
}

function toField(entry: FieldEntry, { includeWords }: { includeWords: boolean }): z.output<typeof field> {
  const { words, ...rest } = entry;
  return {
    ...rest,
    key: fieldKey.parse(entry.key),
    hint: entry.hint ?? null,
    score: entry.score ?? null,
    state: fieldState.parse(entry.state),
    length: entry.length ?? null,
    text: entry.text ?? null,
    ...(includeWords && { words: words.map(toWord) }),
  };
}

function toWord(entry: WordEntry): z.output<typeof word> {
  return {
    name: entry.name,
    traffic: entry.traffic ?? null,
    difficulty: entry.difficulty ?? null,
    occurrences: entry.occurrences ?? null,
    status: wordStatus.parse(entry.status),
  };
}

/** A term whose difficulty is not known has no verdict: it is counted as ungraded and not listed. */
function toTargeting(found: Targeting | null): z.output<typeof targeting> {
  if (found === null) throw new Error('a service answered with a report without targeting');
  const graded = found.keywords.filter((term) => term.verdict !== '');
  return {
    ...found,
    keywords: graded.map((term) => ({
      ...term,
      traffic: term.traffic ?? null,
      difficulty: term.difficulty ?? null,
      verdict: verdict.parse(term.verdict),
    })),
  };
}

function toAppeal(found: Appeal | null): z.output<typeof appeal> {
  if (found === null) throw new Error('a service answered with a report without appeal');
  return {
    rating: { value: found.rating ?? null },
    screenshots: { count: found.screenshots, target: found.screenshots_target },
    freshness: { days_since_update: found.days_since_update ?? null },
  };
}

export function toFlag(found: Flag): z.output<typeof flag> {
  const { evidence, ...rest } = found;
  return {
    ...rest,
    axis: axisKey.parse(found.axis),
    severity: severity.parse(found.severity),
    evidence: evidence.length === 0 ? null : Object.fromEntries(evidence.map(toFigure)),
  };
}

/** @throws when a service named a figure without giving it */
function toFigure({ name, value }: Evidence): [name: string, value: number | string | string[]] {
  if (value === null) throw new Error(`a service answered with the figure ${name} left out`);
  return [name, value.$case === 'texts' ? value.value.texts : value.value];
}
