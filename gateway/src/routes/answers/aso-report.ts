import type {
  Appeal,
  AsoReport,
  Evidence,
  EvidenceTerm,
  FieldEntry,
  Flag,
  RelevanceParts,
  Targeting,
  WordEntry,
} from '@shelfwise/proto/scoring/v1/aso_report';
import { z } from 'zod';
import { scoredOnDay, shownDay } from '../shapes/ages.ts';
import { tierFields, toTierFields } from '../shapes/axis-scores.ts';
import * as shapes from '../shapes/shapes.ts';
import { toTimestamp } from './from-proto.ts';

/** The ASO Health report of an audit and of a saved simulation. */

const axisKey = z
  .enum(['coverage', 'targeting', 'appeal'])
  .meta({ description: 'Which of the three axes.', examples: ['coverage'] });

const wordStatus = z
  .enum([
    'earning',
    'irrelevant',
    'already-used',
    'not-searched',
    'pending',
    'covered',
    'missing',
    'extra-reach',
  ])
  .meta({
    description:
      'earning: searched, and this field gets the credit, as much as its gain says. irrelevant: searched, but not this app’s business, so it counts nothing. already-used: an earlier field has it, searched or not, or it is credited in another spelling; in the keywords field also the category’s and the developer’s name, which the store indexes anyway. not-searched: it has no searches. pending: its result page has not been read yet, or its traffic is partial. covered, missing, extra-reach: only in Google Play’s description.',
    examples: ['earning'],
  });

const share = z.number().min(0).max(1);

const relevance = share.nullable().meta({
  description:
    'How much the term is this app’s business, from 0 to 1: the best of its relevance_parts. Null: the result page has not been read, or the draft has no app.',
  examples: [0.85],
});

const gain = share.meta({
  description:
    'How much of the traffic counts for this app, from 0 to 1: 0 up to a relevance of 0.1, 1 from 0.5 on. The brand of another developer has 0, unless this app ranks third or better for it.',
  examples: [1],
});

const part = (description: string, example: number) =>
  share.nullable().meta({ description: `${description} Null: not known.`, examples: [example] });

const relevanceParts = z
  .object({
    own: part('By the best rank of the app for the term and its forms; 1 for the first place.', 0.76),
    near: part('By the neighbors of the app among the first ten results.', 0.33),
    said: part(
      'By what the description in the store says. Google Play: also null for a term with a word that only the description has.',
      0.5,
    ),
    kind: part('By the share of the app’s genre among the first ten results; 0.2 at most.', 0.2),
  })
  .nullable()
  .meta({
    description: 'What the relevance is the best of. Null: as relevance.',
  });

const rank = z
  .int()
  .min(1)
  .max(100)
  .nullable()
  .meta({
    description: 'Best rank of the app for the term and its forms. Null: none, or not known.',
    examples: [3],
  });

/** Far more than the words of a listing can add up to. */
const maxPoints = 100_000;

/** @param max of one term 100 */
const points = (description: string, example: number, max = 100) =>
  z
    .number()
    .min(0)
    .max(max)
    .meta({ description: `${description}, in points of traffic.`, examples: [example] });

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
  relevance_parts: relevanceParts,
  rank,
  gain,
  counts: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description:
        'What the word counts in its field, in points of traffic: traffic * gain if it earns, otherwise 0. Null: not known yet.',
      examples: [47],
    }),
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

export const listingField = z.object({
  key: fieldKey,
  label: z.string().meta({ description: 'The store’s own name for the field.', examples: ['App name'] }),
  hint: z
    .string()
    .nullable()
    .meta({
      description: 'What would improve the field; null: nothing to improve.',
      examples: ['6 of 30 characters are free.'],
    }),
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
    .meta({
      description: 'Start of the text, at most 160 characters; null when missing.',
      examples: ['Habitember: Habit Tracker'],
    }),
  truncated: z
    .boolean()
    .meta({ description: 'Whether the text is longer than the part shown.', examples: [false] }),
  words: z.array(word).optional().meta({ description: 'Words of the field; only with include_words=true.' }),
});

/** A field of a draft that was scored with include_words. */
export const fieldWithWords = listingField.extend({
  words: z.array(word).meta({ description: 'Words of the field.' }),
});

const verdict = z.enum(['reachable', 'ambitious', 'out-of-reach']).meta({
  description:
    'Whether this app can win the term, by its difficulty or by the rank that it has. out-of-reach also when it would cost more than it brings.',
  examples: ['reachable'],
});

const reason = z
  .enum(['rival-brand', 'not-your-business', 'too-hard', 'held'])
  .nullable()
  .meta({
    description: 'What decides the verdict; held: the app ranks 10 or better. Null: none of these.',
    examples: ['held'],
  });

const targetedTerm = z.object({
  name: z.string().meta({ description: 'The word or phrase.', examples: ['habit tracker'] }),
  field: z.string().meta({ description: 'Key of the first field that contains it.', examples: ['title'] }),
  traffic: shapes.measuredScore('How much it is searched for'),
  difficulty: shapes.measuredScore('How hard it is to rank for'),
  relevance,
  relevance_parts: relevanceParts,
  rank,
  gain,
  listing_gain: share.meta({
    description: 'The best gain of the term and of the searched phrases of the listing that hold it.',
    examples: [1],
  }),
  credit: share.meta({
    description: 'How well the app can win the term, from 0 to 1, by its difficulty or its rank.',
    examples: [0.9],
  }),
  won: points(
    'What the term adds to won of the listing: traffic * gain * credit; 0 if another form counts in its place',
    42.3,
  ),
  lost: points(
    'What it adds to lost of the listing: traffic * (1 - listing_gain); 0 for the own brand, for common words, and if another form counts in its place',
    0,
  ),
  own_brand: z.boolean().meta({
    description:
      'Whether it is the app’s own brand or a word of it: together these bring 100 points at most.',
    examples: [false],
  }),
  same_as: z
    .string()
    .nullable()
    .meta({
      description: 'The form of the term that counts in its place; null: none.',
      examples: ['habits'],
    }),
  verdict,
  reason,
  is_partial: shapes.isPartial,
  scored_at: scoredOnDay,
});

const notAssessable = z
  .enum(['unsearched', 'unread', 'partial'])
  .nullable()
  .meta({
    description:
      'Why it cannot be assessed: people do not search for its terms, they have not been read, or their traffic is partial. Null: it can.',
    examples: ['partial'],
  });

const targeting = z.object({
  assessable: z.boolean().meta({
    description: 'Whether targeting can be assessed; false: no searched term of the listing is known.',
  }),
  reason: notAssessable,
  won: points(
    'What the terms bring together, the own brand at most 100. The axis is 100 * (1 - exp(-(won - 0.4 * lost) / 160)), at least 1 while anything is won',
    93.3,
    maxPoints,
  ),
  lost: points('What the terms cost together', 12, maxPoints),
  partial: shapes.count.meta({
    description: 'Number of terms that are left out because their traffic is partial.',
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

const wordSource = z.enum(['titles', 'description', 'pages', 'tracked']);

const wordToAdd = z.object({
  name: z.string().meta({ description: 'A searched term that no field carries yet.', examples: ['routine'] }),
  traffic: shapes.measuredScore('How much it is searched for'),
  difficulty: shapes.measuredScore('How hard it is to rank for'),
  relevance,
  scored_at: scoredOnDay,
  source: wordSource.meta({
    description:
      'Where the term was found: in titles of other apps that rank for the app’s terms, in the app’s description as a phrase that the store suggests, on a result page on which the app ranks 30 or better, or among the keywords that you track for the app.',
    examples: ['description'],
  }),
  rank,
  genre_share: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({
      description:
        'Share of the first ten apps on its result page that are of the app’s genre, of those whose genre is known. Low: people who search for the term look for other kinds of apps, and the word is listed because the app ranks for it or its description says it. Null: not known.',
      examples: [0.6],
    }),
  field: fieldKey.meta({
    description: 'The field to which the term adds most, of those that the flag is about.',
    examples: ['subtitle'],
  }),
  global_delta: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description:
        'How many points the overall score of a simulation rises if only this term is added to the field. 0: it rises by less than rounding shows. Those of several terms do not add up. It is of the time when the words were chosen: once a day, and when a text changes. Null: not known.',
      examples: [2],
    }),
});

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
        'The values that raised the flag, by name; null: none. When the fix asks for searched words, words_to_add lists up to ten of them that fit and raise the overall score, each alone, the one that raises it most in a simulation first (empty: none was found; absent: not known yet).',
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
              source: 'titles',
              rank: 12,
              genre_share: 0.6,
              field: 'subtitle',
              global_delta: 2,
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
  fields: z.array(listingField).meta({ description: 'The fields of the listing.' }),
  targeting: targeting.meta({ description: 'The terms that the listing targets.' }),
  appeal: appeal.meta({ description: 'What makes visitors install the app.' }),
  flags: z.array(flag).meta({ description: 'What to improve.' }),
});

export const asoReportOfRun = asoReport.extend({
  fields: z
    .array(
      listingField.extend({
        words: z
          .array(word)
          .nullable()
          .meta({ description: 'Words of the field; null: the run was saved without them.' }),
      }),
    )
    .meta({ description: 'The fields of the listing.' }),
});

/** @throws as `toAsoReport` */
export function toAsoReportOfRun(
  report: AsoReport,
  options: { includeWords: boolean },
): z.output<typeof asoReportOfRun> {
  const { fields, ...rest } = toAsoReport(report, options);
  return { ...rest, fields: fields.map((entry) => ({ ...entry, words: entry.words ?? null })) };
}

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
    fields: report.fields.map((entry) => toListingField(entry, options)),
    targeting: toTargeting(report.targeting),
    appeal: toAppeal(report.appeal),
    flags: report.flags.map(toFlag),
  };
}

export function toListingField(
  entry: FieldEntry,
  { includeWords }: { includeWords: boolean },
): z.output<typeof listingField> {
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

/** @throws as `toAsoReport` */
export function toFieldWithWords(entry: FieldEntry): z.output<typeof fieldWithWords> {
  return { ...toListingField(entry, { includeWords: false }), words: entry.words.map(toWord) };
}

function toWord(entry: WordEntry): z.output<typeof word> {
  return {
    name: entry.name,
    traffic: entry.traffic ?? null,
    difficulty: entry.difficulty ?? null,
    occurrences: entry.occurrences ?? null,
    relevance: entry.relevance ?? null,
    relevance_parts: toRelevanceParts(entry.relevance_parts),
    rank: entry.rank ?? null,
    gain: entry.gain,
    counts: entry.counts ?? null,
    status: wordStatus.parse(entry.status),
    is_partial: entry.is_partial,
    scored_at: shownDay(entry.scored_at),
  };
}

function toRelevanceParts(parts: RelevanceParts | null | undefined): z.output<typeof relevanceParts> {
  if (!parts) return null;
  const { own = null, near = null, said = null, kind = null } = parts;
  return { own, near, said, kind };
}

/** Omits the terms without a verdict. Their difficulty is unknown, and `ungraded` counts them. */
function toTargeting(message: Targeting | null): z.output<typeof targeting> {
  if (message === null) throw new Error('the report of a service has no targeting');
  const gradedTerms = message.keywords.filter((term) => term.verdict !== '');
  return {
    ...message,
    reason: notAssessable.parse(message.reason ?? null),
    keywords: gradedTerms.map((term) => ({
      ...term,
      traffic: term.traffic ?? null,
      difficulty: term.difficulty ?? null,
      relevance: term.relevance ?? null,
      relevance_parts: toRelevanceParts(term.relevance_parts),
      rank: term.rank ?? null,
      listing_gain: toAmount(term.listing_gain),
      credit: toAmount(term.credit),
      won: toAmount(term.won),
      lost: toAmount(term.lost),
      same_as: term.same_as ?? null,
      verdict: verdict.parse(term.verdict),
      reason: reason.parse(term.reason ?? null),
      scored_at: shownDay(term.scored_at),
    })),
  };
}

/** @throws when a graded term has none */
function toAmount(amount: number | null | undefined): number {
  if (amount == null) throw new Error('a graded term in the report of a service has no amount');
  return amount;
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
    source: wordSource.parse(term.source),
    rank: term.rank ?? null,
    genre_share: term.genre_share ?? null,
    field: fieldKey.parse(term.field),
    global_delta: term.global_delta ?? null,
  };
}
