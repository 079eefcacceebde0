import { countUnits, maxKeywordsFieldUnits } from '@shelfwise/facts/stores/listing-fields';
import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toTimestamp } from './answers/from-proto.ts';
import { findTrackedListing } from './answers/tracked-app.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

const example = 'goals,mood,streak,diary';

/**
 * In the document `maxLength` counts code points. A text has at most as many code points as units, unless it has line breaks of
 * two characters, which count as one unit.
 */
const keptFieldInput = z
  .string()
  .refine(
    (text) => countUnits(text) <= maxKeywordsFieldUnits,
    `must have at most ${maxKeywordsFieldUnits} characters, as the App Store counts them (UTF-16 units)`,
  )
  .refine((text) => !hasInvalidCharacters(text), 'must not contain NUL or broken Unicode')
  .meta({
    description: `The keywords field as it is in App Store Connect: at most ${maxKeywordsFieldUnits} UTF-16 units; an emoji has two or more. Empty: the field is empty.`,
    examples: [example],
    maxLength: maxKeywordsFieldUnits,
    pattern: '^[^\\u0000\\ufffd]*$',
  });

const keptText = z.string().meta({ description: 'The kept keywords field.', examples: [example] });

const keptField = z.object({
  app_id: shapes.internalId,
  kw_field: keptText,
  updated_at: shapes.timestamp.meta({ description: 'When the text last changed.' }),
});

const maybeKeptField = keptField.extend({
  kw_field: keptText
    .nullable()
    .meta({ description: 'The kept keywords field; null: none is kept, so it is unknown.' }),
  updated_at: shapes.timestamp
    .nullable()
    .meta({ description: 'When the text last changed; null when none is kept.' }),
});

type Deps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing'>;
  scoring: Pick<Clients['scoring'], 'getKeywordsField' | 'setKeywordsField' | 'deleteKeywordsField'>;
};

/** What the three endpoints share. */
const ofApplication = {
  path: '/api/v1/applications/{id}/keywords-field',
  tag: 'ASO Health',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  errors: { APP_NOT_FOUND: appNotTracked },
} as const;

export const getKeywordsField = defineRoute({
  ...ofApplication,
  method: 'get',
  operationId: 'getKeywordsField',
  summary: 'Get the kept keywords field of an application',
  description:
    'The keywords field that this account keeps for the application, because the App Store never shows it. On Google Play, which has no such field, it is always null.',
  sample: { params: { id: 1 } },
  data: maybeKeptField,
  async handler(deps: Deps, { account, params, call }) {
    await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
    const request = { account_id: account.id, app_id: params.id };
    const { kw_field: kwField, updated_at: updatedAt } = await deps.scoring.getKeywordsField(request, call);
    return {
      data: {
        app_id: params.id,
        kw_field: kwField ?? null,
        updated_at: updatedAt && toTimestamp(updatedAt),
      },
    };
  },
});

export const setKeywordsField = defineRoute({
  ...ofApplication,
  method: 'put',
  operationId: 'setKeywordsField',
  summary: 'Keep the keywords field of an application',
  description:
    'App Store only. The store never shows this field: keep it here to include it in the ASO Health report and in simulations. It belongs to this account: other accounts that track the same app do not see it, and their scores stay as they are. Its words are measured within minutes and kept up to date while the app is tracked; after ten changes of a field, or 50 of the account, on a UTC day, the words of further ones are requested with the next daily audit. Nothing is written to the store. Repeating the call is safe.',
  body: z.strictObject({ kw_field: keptFieldInput }),
  sample: {
    params: { id: 1 },
    body: { kw_field: 'goals,mood,streak,diary,checklist,reminder,daily,journal' },
  },
  data: keptField,
  async handler(deps: Deps, { account, params, body, call }) {
    const app = await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
    const request = { account_id: account.id, app, kw_field: body.kw_field };
    const kept = await deps.scoring.setKeywordsField(request, call);
    return {
      data: { app_id: params.id, kw_field: kept.kw_field, updated_at: toTimestamp(kept.updated_at) },
    };
  },
});

export const deleteKeywordsField = defineRoute({
  ...ofApplication,
  method: 'delete',
  operationId: 'deleteKeywordsField',
  summary: 'Remove the kept keywords field of an application',
  description:
    'The field is unknown again: reports and simulations are computed without it. Repeating the call is safe. An application that is no longer tracked keeps its field until it is tracked again.',
  sample: { params: { id: 1 } },
  data: z.object({
    app_id: shapes.internalId,
    already_removed: z.boolean().meta({ description: 'Whether no keywords field was kept.' }),
  }),
  async handler(deps: Deps, { account, params, call }) {
    await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
    const request = { account_id: account.id, app_id: params.id };
    const { already_removed } = await deps.scoring.deleteKeywordsField(request, call);
    return { data: { app_id: params.id, already_removed } };
  },
});
