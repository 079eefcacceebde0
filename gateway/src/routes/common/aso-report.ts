import type {
  Appeal,
  AsoReport,
  Evidence,
  EvidenceTerm,
  FieldEntry,
  Flag,
  Targeting,
  WordEntry,
} from '@shelfwise/proto/scoring/v1/aso_report';
import { z } from 'zod';
import { scoredOnDay, shownDay } from './ages.ts';
import { tierFields, toTierFields } from './axis-scores.ts';
import { toTimestamp } from './from-proto.ts';
import * as shapes from './shapes.ts';

/** The ASO Health report of an audit and of a saved simulation. */

const axisKey = z
  .enum(['coverage', 'targeting', 'appeal'])
  .meta({ description: 'Which of the three axes.', examples: ['coverage'] });

const wordStatus = z
  .enum(['earning', 'already-used', 'not-searched', 'pending', 'covered', 'missing', 'extra-reach'])
  .meta({
    description:
      'earning: searched, and this field gets the credit, as much as its gain says. already-used: an earlier field has it, searched or not, or it is credited in another spelling; in the keywords field also the category’s and the developer’s name, which the store indexes anyway. not-searched: it has no searches. pending: its result page has not been read yet. covered, missing, extra-reach: only in Google Play’s description.',
    examples: ['earning'],
  });

const share = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description, examples: [example] });

const relevance = share(
  'How much the term is this app’s business, from 0 to 1, by its own rank for the term, the apps around it and their genre. Null: the result page has not been read, or the draft has no app.',
  0.85,
);

const gain = share(
  'How much of the traffic counts for this app, from 0 to 1: 0 up to a relevance of 0.1, 1 from 0.5 on. The name of another app has 0, unless this app is in its top 10. Null: an audit of an earlier version.',
  1,
);

const word = z.object({
  name: z.string().meta({ description: 'The word in its normal form.', examples: ['habit'] }),
  traffic: shapes.measuredScore('How much it is searched for'),
  difficulty: shapes.measuredScore('How hard it is to rank for'),
  occurrences: z
    .int()
    .min(0)
    .nullable()
    .meta({
      description: 'How often the field contains it; only in Google Play’s description.',
      examples: [4],
    }),
  relevance,
  gain,
  status: wordStatus,
  is_partial: shapes.isPartial,
  scored_at: scoredOnDay,
});

const fieldKey = z.enum(['title', 'subtitle', 'kw_field', 'description']).meta({
  description: 'Field of the listing; on Google Play, subtitle is the short description.',
  examples: ['title'],
});

const fieldState = z.enum(['scored', 'empty', 'missing']).meta({
  description: 'empty: blank in the store. missing: not known, because the App Store never publishes it.',
  examples: ['scored'],
});

const field = z.object({
  key: fieldKey,
  label: z.string().meta({ description: 'The store’s own name for the field.', examples: ['App name'] }),
  hint: z
    .string()
    .nullable()
    .meta({ description: 'What would improve the field; null: nothing to improve.' }),
  score: shapes.score.nullable().meta({
    description:
      '0 to 100; null when the field is missing, the store does not index it, or too few of its words have been measured.',
    examples: [74],
  }),
  state: fieldState,
  length: z
    .int()
    .min(0)
    .nullable()
    .meta({
      description: 'Length in UTF-16 units, each line break counted as one; null when missing.',
      examples: [24],
    }),
  limit: z
    .int()
    .min(1)
    .meta({ description: 'The store’s length limit, in the same units.', examples: [30] }),
  text: z
    .string()
    .nullable()
    .meta({ description: 'Start of the text, at most 160 characters; null when missing.' }),
  truncated: z.boolean().meta({ description: 'Whether the text is longer than the part shown.' }),
  words: z.array(word).optional().meta({ description: 'Words of the field; only with include_words=true.' }),
});

const verdict = z.enum(['reachable', 'ambitious', 'out-of-reach']).meta({
  description: 'Whether an app of this tier can rank for the term.',
  examples: ['reachable'],
});

const targetedTerm = z.object({
  name: z.string().meta({ description: 'The word or phrase.', examples: ['habit tracker'] }),
  field: z.string().meta({ description: 'Key of the first field that contains it.', examples: ['title'] }),
  traffic: shapes.measuredScore('How much it is searched for'),
  difficulty: shapes.measuredScore('How hard it is to rank for'),
  relevance,
  gain,
  verdict,
  is_partial: shapes.isPartial,
  scored_at: scoredOnDay,
});

const targeting = z.object({
  assessable: z.boolean().meta({
    description: 'Whether targeting can be assessed; false: the listing contains no searched term.',
  }),
  keywords: z.array(targetedTerm).meta({ description: 'The graded terms that the listing targets.' }),
  ungraded: shapes.count.meta({ description: 'Number of searched terms without competition data.' }),
  unsearched: shapes.count.meta({ description: 'Number of words without searches.' }),
  unsearched_words: z
    .array(z.string())
    .meta({ description: 'The words without searches.', examples: [['habitember']] }),
});

const appeal = z.object({
  rating: z
    .object({
      value: z
        .number()
        .min(0)
        .max(5)
        .nullable()
        .meta({
          description: 'Average rating; null when there are none, or they could not be read.',
          examples: [4.4],
        }),
    })
    .meta({ description: 'The rating of the app.' }),
  screenshots: z
    .object({
      count: shapes.count
        .nullable()
        .meta({ description: 'Number of screenshots; null when they could not be read.' }),
      target: z
        .int()
        .min(1)
        .meta({ description: 'Recommended number of screenshots.', examples: [6] }),
    })
    .meta({ description: 'The screenshots of the listing.' }),
  freshness: z
    .object({
      days_since_update: z
        .int()
        .min(0)
        .nullable()
        .meta({
          description: 'Whole days since the latest update; null when the store does not show it.',
          examples: [12],
        }),
    })
    .meta({ description: 'The age of the latest release.' }),
});

const severity = z
  .enum(['critical', 'warning', 'info'])
  .meta({ description: 'Severity of the flag.', examples: ['warning'] });

const wordToAdd = z.object({
  name: z.string().meta({ description: 'A searched term that no field carries yet.', examples: ['routine'] }),
  traffic: shapes.measuredScore('How much it is searched for'),
  difficulty: shapes.measuredScore('How hard it is to rank for'),
  relevance,
  scored_at: scoredOnDay,
});

/** One flag of an audit. */
export const flag = z.object({
  code: z.string().meta({ description: 'Code of the flag.', examples: ['SUBTITLE_UNDERUSED'] }),
  axis: axisKey,
  severity,
  title: z.string().meta({ description: 'Short title.' }),
  impact: z.string().meta({ description: 'What the problem costs.' }),
  fix: z.string().meta({ description: 'How to fix it.' }),
  evidence: z
    .record(z.string(), z.union([z.number(), z.string(), z.array(z.string()), z.array(wordToAdd)]))
    .nullable()
    .meta({
      description:
        'The values that raised the flag, by name; null: none. When the fix asks for searched words, words_to_add lists up to ten of them, best first (empty: none was found; absent: not known yet).',
      examples: [
        {
          length: 15,
          limit: 30,
          words_to_add: [
            {
              name: 'routine',
              traffic: 41,
              difficulty: 38,
              relevance: 0.85,
              scored_at: '2026-11-24T00:00:00.000Z',
            },
          ],
        },
        { words: ['habit', 'tracker'] },
      ],
    }),
});

export const asoReport = z.object({
  global: shapes.score.meta({
    description:
      'The overall score: the cube root of the product of the three axes. It can still change while words are pending.',
    examples: [72],
  }),
  ...tierFields,
  computed_at: shapes.timestamp.meta({ description: 'When the report was computed.' }),
  axes: z
    .array(
      z.object({
        key: axisKey,
        score: shapes.score.meta({ description: 'Score of the axis, 0 to 100.', examples: [89] }),
      }),
    )
    .length(3)
    .meta({ description: 'The three axes. They can still change while words are pending.' }),
  fields: z.array(field).meta({ description: 'The fields of the listing.' }),
  targeting: targeting.meta({ description: 'The terms that the listing targets.' }),
  appeal: appeal.meta({ description: 'What makes visitors install the app.' }),
  flags: z.array(flag).meta({ description: 'What to improve.' }),
});

/** @throws when the reply has no value for a field of every report, or contains an unknown value */
export function toAsoReport(
  report: AsoReport,
  options: { includeWords: boolean },
): z.output<typeof asoReport> {
  return {
    global: report.global,
    ...toTierFields(report.tier),
    computed_at: toTimestamp(report.computed_at),
    axes: report.axes.map(({ key, score }) => ({ key: axisKey.parse(key), score })),
    fields: report.fields.map((entry) => toField(entry, options)),
    targeting: toTargeting(report.targeting),
    appeal: toAppeal(report.appeal),
    flags: report.flags.map(toFlag),
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
    words: includeWords ? words.map(toWord) : undefined,
  };
}

function toWord(entry: WordEntry): z.output<typeof word> {
  return {
    name: entry.name,
    traffic: entry.traffic ?? null,
    difficulty: entry.difficulty ?? null,
    occurrences: entry.occurrences ?? null,
    relevance: entry.relevance ?? null,
    gain: entry.gain ?? null,
    status: wordStatus.parse(entry.status),
    is_partial: entry.is_partial ?? false,
    scored_at: shownDay(entry.scored_at),
  };
}

/** Omits the terms without a verdict. Their difficulty is unknown, and `ungraded` counts them. */
function toTargeting(message: Targeting | null): z.output<typeof targeting> {
  if (message === null) throw new Error('the report of a service has no targeting');
  const gradedTerms = message.keywords.filter((term) => term.verdict !== '');
  return {
    ...message,
    keywords: gradedTerms.map((term) => ({
      ...term,
      traffic: term.traffic ?? null,
      difficulty: term.difficulty ?? null,
      relevance: term.relevance ?? null,
      gain: term.gain ?? null,
      verdict: verdict.parse(term.verdict),
      is_partial: term.is_partial ?? false,
      scored_at: shownDay(term.scored_at),
    })),
  };
}

function toAppeal(message: Appeal | null): z.output<typeof appeal> {
  if (message === null) throw new Error('the report of a service has no appeal');
  return {
    rating: { value: message.rating ?? null },
    screenshots: { count: message.screenshots ?? null, target: message.screenshots_target },
    freshness: { days_since_update: message.days_since_update ?? null },
  };
}

export function toFlag(message: Flag): z.output<typeof flag> {
  const { evidence, ...rest } = message;
  return {
    ...rest,
    axis: axisKey.parse(message.axis),
    severity: severity.parse(message.severity),
    evidence: evidence.length === 0 ? null : Object.fromEntries(evidence.map(toEvidenceEntry)),
  };
}

/** @throws for a name without a value */
function toEvidenceEntry({
  name,
  value,
}: Evidence): [name: string, value: number | string | string[] | z.output<typeof wordToAdd>[]] {
  if (value === null) throw new Error(`the report of a service has no value of ${name}`);
  if (value.$case === 'texts') return [name, value.value.texts];
  return [name, value.$case === 'terms' ? value.value.terms.map(toWordToAdd) : value.value];
}

function toWordToAdd(term: EvidenceTerm): z.output<typeof wordToAdd> {
  return {
    name: term.name,
    traffic: term.traffic ?? null,
    difficulty: term.difficulty ?? null,
    relevance: term.relevance ?? null,
    scored_at: shownDay(term.scored_at),
  };
}
