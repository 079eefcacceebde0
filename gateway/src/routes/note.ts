import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import { countCharacters } from '@shelfwise/facts/text/keyword';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { dateParameter, idParameter } from './route/fields.ts';
import { note, toNote } from './shapes/note.ts';

/** In code points. Tracking accepts 1,000 UTF-16 units, in which they always fit. */
const maxTextLength = 500;

const text = z
  .string()
  .refine(
    (sent) => sent.trim() !== '' && countCharacters(sent) <= maxTextLength,
    `must have 1 to ${maxTextLength} characters`,
  )
  .refine((sent) => !hasInvalidCharacters(sent), 'must not contain NUL or broken Unicode')
  .meta({
    description: `What happened, 1 to ${maxTextLength} characters. White space around it is removed.`,
    examples: ['Ads began'],
    minLength: 1,
    maxLength: maxTextLength,
    pattern: '^[^\\u0000\\ufffd]*[^\\s\\u0000\\ufffd][^\\u0000\\ufffd]*$',
  })
  .overwrite((sent) => sent.trim());

type AddDeps = { tracking: Pick<Clients['tracking'], 'addNote'> };
type RemoveDeps = { tracking: Pick<Clients['tracking'], 'removeNote'> };

const appId = idParameter('Id of the application in Shelfwise.');

export const addNote = defineRoute({
  method: 'post',
  path: '/api/v1/applications/{id}/notes',
  operationId: 'addNote',
  tag: 'Applications',
  summary: 'Write a note about a day of an application',
  description:
    'A mark on the charts of the application: what happened on that day, such as a campaign. Only this account sees it. An application has at most 1000 notes. Repeating the call writes another note.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: appId }),
  body: z.strictObject({
    date: dateParameter.meta({ description: 'The UTC day that the note is about.' }),
    text,
  }),
  sample: { params: { id: 1 }, body: { date: '2026-01-31', text: 'Ads began' } },
  data: note,
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: 'An application has at most 1000 notes. Remove one first.',
  },
  async handler(deps: AddDeps, { account, params, body, call }) {
    const request = { account_id: account.id, app_id: params.id, date: body.date, text: body.text };
    return { data: toNote(await deps.tracking.addNote(request, call)) };
  },
});

export const removeNote = defineRoute({
  method: 'delete',
  path: '/api/v1/applications/{id}/notes/{note_id}',
  operationId: 'removeNote',
  tag: 'Applications',
  summary: 'Remove a note about an application',
  description: 'Repeating the call is safe.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: appId, note_id: idParameter('Id of the note, from the list of notes.') }),
  sample: { params: { id: 1, note_id: 1 } },
  data: z.object({
    id: note.shape.id,
    already_removed: z
      .boolean()
      .meta({ description: 'Whether the application had no such note.', examples: [false] }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
  },
  async handler(deps: RemoveDeps, { account, params, call }) {
    const request = { account_id: account.id, app_id: params.id, id: params.note_id };
    const reply = await deps.tracking.removeNote(request, call);
    return { data: { id: reply.id, already_removed: reply.already_removed } };
  },
});
