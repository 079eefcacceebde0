import type { CheckedField, CheckMetadataReply } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { draftFields, hasText, maxTextLength, toDraft } from './common/draft-fields.ts';
import { storeField } from './common/fields.ts';
import * as shapes from './common/shapes.ts';
import { checkMetadataExample } from './examples/check-metadata-example.ts';

const draft = z.strictObject({ store: storeField, ...draftFields }).refine(hasText, {
  error: 'must have at least one of title, subtitle, description and kw_field',
  // Looked at whatever else is wrong, so that an answer names all of it.
  when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
});

const levels = ['error', 'warning', 'info'] as const;
const rules = ['price', 'ranking', 'play-program', 'call-to-action', 'kids', 'rival-platform'] as const;

const warning = z.object({
  level: z.enum(levels).meta({
    description: 'error: the store would refuse it. warning: it costs something, or a reviewer may object.',
    examples: ['error'],
  }),
  message: z.string().meta({
    description: 'What is wrong, as a sentence.',
    examples: ['Google Play refuses words about price or promotions in the App name: "free".'],
  }),
  rule: z
    .enum(rules)
    .nullable()
    .meta({ description: 'Null for a limit or the form.', examples: ['price'] }),
});

const units = z.int().min(0).max(maxTextLength);

const checkedField = z.object({
  field: z
    .enum(['title', 'subtitle', 'description', 'kw_field'])
    .meta({ description: 'On Google Play subtitle is the short description.', examples: ['title'] }),
  store_field: z.string().meta({ description: 'The store’s own name for it.', examples: ['App name'] }),
  indexed: z.boolean().meta({ description: 'Whether the store’s search reads it.' }),
  length: units.meta({ description: 'UTF-16 units; a line break is one.', examples: [26] }),
  limit: units.meta({ description: 'Most that the store takes.', examples: [30] }),
  remaining: z
    .int()
    .min(-maxTextLength)
    .max(maxTextLength)
    .meta({ description: 'Limit less length; below 0 when it is over.', examples: [4] }),
  over: z.boolean().meta({ description: 'Whether it is longer than the limit.', examples: [false] }),
  warnings: z.array(warning).meta({ description: 'What is wrong with it; empty: nothing.' }),
});

const terms = (description: string, examples: string[]) =>
  z.array(z.string()).meta({ description, examples: [examples] });

const checkedKeywords = z
  .object({
    terms: terms('As the store reads them, repeats included.', ['routine', 'planner', 'daily goals']),
    duplicates: terms('Terms, and words within them, that stand there more than once.', ['planner']),
    too_short: terms('Terms of one character.', ['a']),
    phrases: terms('Terms of several words, which gain nothing over their words.', ['daily goals']),
    wasted_on_spaces: units.meta({ description: 'Blanks that part no words.', examples: [0] }),
    wasted_on_duplicates: units.meta({ description: 'Characters of repeats.', examples: [0] }),
  })
  .meta({ description: 'Only when kw_field was sent for the App Store.' });

export const checkMetadata = defineRoute({
  method: 'post',
  path: '/api/v1/metadata/check',
  operationId: 'checkMetadata',
  summary: 'Check a draft of a listing',
  description:
    'Lengths as the store counts them, forbidden words, and what costs characters. Only the texts that are sent are checked; no store is asked. `valid` is false when some field has an error.',
  cost: 1,
  deadlineMs: 5000,
  params: z.object({}),
  query: z.object({}),
  body: draft,
  data: z.object({
    store: shapes.store,
    valid: z.boolean().meta({ description: 'Whether the store would take it.', examples: [true] }),
    fields: z
      .array(checkedField)
      .max(4)
      .meta({ description: 'The texts that were sent and that the store has.' }),
    keywords: checkedKeywords.optional(),
    notes: z.array(z.string()).meta({
      description: 'Problems with the request itself.',
      examples: [['kw_field was ignored: Google Play has no keywords field.']],
    }),
  }),
  meta: null,
  example: checkMetadataExample,
  errors: {},
  async handler({ body, clients, call }) {
    const reply = await clients.scoring.checkMetadata({ store: body.store, draft: toDraft(body) }, call);
    return { data: { store: body.store, ...toChecked(reply) } };
  },
});

function toChecked({ valid, fields, keywords, notes }: CheckMetadataReply) {
  return { valid, fields: fields.map(toField), ...(keywords && { keywords }), notes };
}

/** @throws when the service says a field, a level or a rule that is not the API's */
function toField({ warnings, ...field }: CheckedField): z.output<typeof checkedField> {
  const named = warnings.map(({ level, message, rule }) => ({ level, message, rule: rule ?? null }));
  return checkedField.parse({ ...field, warnings: named });
}
