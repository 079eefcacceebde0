import type { CheckedField, CheckMetadataReply } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { draftFields, hasText, maxTextLength, toDraft } from './route/draft-fields.ts';
import { storeField } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

const draft = z.strictObject({ store: storeField, ...draftFields }).refine(hasText, {
  error: 'must have at least one of title, subtitle, description and kw_field',
  // Checked even when other fields are wrong, so that an answer names every problem.
  when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
});

const levels = ['error', 'warning', 'info'] as const;
const rules = ['price', 'ranking', 'play-program', 'call-to-action', 'kids', 'rival-platform'] as const;

const warning = z.object({
  level: z.enum(levels).meta({
    description:
      'error: the store would reject it. warning: it wastes potential, or a reviewer may object. info: a hint.',
    examples: ['error'],
  }),
  message: z.string().meta({
    description: 'The problem, as a sentence.',
    examples: [
      'Google Play refuses words about price or promotions in the App name: "free". They may stay if they are part of the brand.',
    ],
  }),
  rule: z
    .enum(rules)
    .nullable()
    .meta({ description: 'The store rule; null for length limits and formatting.', examples: ['price'] }),
});

/** A number of UTF-16 units. */
const units = z.int().min(0).max(maxTextLength);

const checkedField = z.object({
  field: z.enum(['title', 'subtitle', 'description', 'kw_field']).meta({
    description: 'Field of the listing; on Google Play, subtitle is the short description.',
    examples: ['title'],
  }),
  store_field: z
    .string()
    .meta({ description: 'The store’s own name for the field.', examples: ['App name'] }),
  indexed: z.boolean().meta({ description: 'Whether the store’s search indexes the field.' }),
  length: units.meta({ description: 'Length in UTF-16 units; a line break is one.', examples: [26] }),
  limit: units.meta({ description: 'The store’s length limit.', examples: [30] }),
  remaining: z
    .int()
    .min(-maxTextLength)
    .max(maxTextLength)
    .meta({ description: 'Limit minus length; negative when the text is too long.', examples: [4] }),
  over: z.boolean().meta({ description: 'Whether the text is longer than the limit.', examples: [false] }),
  warnings: z.array(warning).meta({ description: 'Problems of the field; empty when there are none.' }),
});

const termList = (description: string, examples: string[]) =>
  z.array(z.string()).meta({ description, examples: [examples] });

const checkedKeywords = z
  .object({
    terms: termList('Terms as the store reads them, including repetitions.', [
      'routine',
      'planner',
      'daily goals',
    ]),
    duplicates: termList('Terms, and words of terms, that occur more than once.', ['planner']),
    too_short: termList('Terms of one character.', ['a']),
    phrases: termList('Terms of several words, which gain nothing over the single words.', ['daily goals']),
    wasted_on_spaces: units.meta({ description: 'Number of spaces that separate no words.', examples: [0] }),
    wasted_on_duplicates: units.meta({
      description: 'Number of characters spent on repetitions.',
      examples: [0],
    }),
  })
  .meta({ description: 'Analysis of kw_field; only when it was sent for the App Store.' });

type Deps = { scoring: Pick<Clients['scoring'], 'checkMetadata'> };

export const checkMetadata = defineRoute({
  method: 'post',
  path: '/api/v1/metadata/check',
  operationId: 'checkMetadata',
  tag: 'Metadata',
  summary: 'Check a draft of a listing',
  description:
    'Checks lengths as the store counts them, forbidden words, emoji and symbols, invisible and control characters, and wasted characters. Only the texts that are sent are checked, without a request to the store. `valid` is false when any field has an error.',
  cost: 1,
  isFreeForPages: true,
  services: ['scoring'],
  deadlineMs: 5000,
  body: draft,
  sample: {
    body: { store: 'ITUNES', title: 'Best Habit Tracker', kw_field: 'routine, planner,daily goals' },
  },
  data: z.object({
    store: shapes.store,
    valid: z.boolean().meta({
      description: 'False when a field has a warning of the level error: the store would refuse the draft.',
      examples: [true],
    }),
    fields: z
      .array(checkedField)
      .max(4)
      .meta({ description: 'The checked fields: those that were sent and that exist in the store.' }),
    keywords: checkedKeywords.optional(),
    notes: z.array(z.string()).meta({
      description: 'Problems with the request itself.',
      examples: [['kw_field was ignored: Google Play has no keywords field.']],
    }),
  }),
  async handler(deps: Deps, { body, call }) {
    const reply = await deps.scoring.checkMetadata({ store: body.store, draft: toDraft(body) }, call);
    return { data: { store: body.store, ...toChecked(reply) } };
  },
});

function toChecked({ valid, fields, keywords, notes }: CheckMetadataReply) {
  return { valid, fields: fields.map(toField), keywords: keywords ?? undefined, notes };
}

/** @throws for a field, level or rule that the API does not have */
function toField({ warnings, ...field }: CheckedField): z.output<typeof checkedField> {
  const withNullRules = warnings.map(({ level, message, rule }) => ({ level, message, rule: rule ?? null }));
  return checkedField.parse({ ...field, warnings: withNullRules });
}
