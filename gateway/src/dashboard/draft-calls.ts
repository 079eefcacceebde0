import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { mapDatabaseError } from '../http/gateway-errors.ts';
import { findTrackedListing } from '../routes/answers/tracked-app.ts';
import { defineRoute, type Route } from '../routes/route/define-route.ts';
import { hasText, savedDraftFields, toDraft } from '../routes/route/draft-fields.ts';
import { idParameter } from '../routes/route/fields.ts';
import * as shapes from '../routes/shapes/shapes.ts';
import type { CallAsSession } from './call-as-session.ts';
import type { Drafts } from './drafts.ts';

/** The size of a whole draft: the longest description in characters of four bytes, and the other texts. */
const maxBytes = 20 * 1024;

const draftBody = z
  .strictObject(savedDraftFields)
  .refine(hasText, 'must have at least one of title, subtitle, description and kw_field')
  .refine(
    (body) => bytesOf(body) <= maxBytes,
    `must have at most ${maxBytes} bytes of text, counted as UTF-8`,
  )
  .refine((body) => !textsOf(body).some(hasInvalidCharacters), 'must not contain NUL or broken Unicode');

type Deps = { tracking: Pick<Clients['tracking'], 'getTrackedListing'> };

/** What both calls share. They are calls of the pages alone: the API has no drafts that are not scored. */
const ofApp = {
  path: '/dashboard/apps/{id}/draft',
  tag: 'Metadata',
  description: 'Only for the pages of the dashboard.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
} as const;

/** The calls that keep and remove the draft of an app that the account tracks. Nothing is written to a store. */
export function createDraftCalls(drafts: Pick<Drafts, 'keep' | 'remove'>, callAsSession: CallAsSession) {
  const keep = defineRoute({
    ...ofApp,
    method: 'put',
    operationId: 'keepDraft',
    summary: 'Keep what is typed in the simulator',
    body: draftBody,
    data: z.object({ kept_at: shapes.timestamp }),
    async handler(deps: Deps, { account, params, body, call }) {
      await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
      const { title = null, subtitle = null, description = null, kw_field = null } = toDraft(body);
      const texts = { title, subtitle, description, kw_field };
      const keptAt = await mapDatabaseError(drafts.keep(account.id, params.id, texts));
      return { data: { kept_at: keptAt.toISOString() } };
    },
  });

  const remove = defineRoute({
    ...ofApp,
    method: 'delete',
    operationId: 'removeDraft',
    summary: 'Remove what was typed in the simulator',
    data: z.object({ already_removed: z.boolean() }),
    async handler(_deps: Deps, { account, params }) {
      const wasKept = await mapDatabaseError(drafts.remove(account.id, params.id));
      return { data: { already_removed: !wasKept } };
    },
  });

  const answerWith =
    (route: Route): RequestHandler =>
    async ({ params, body }, response) => {
      const sent = { params: { id: String(params.id) }, body };
      const answer = await callAsSession(response)(route, sent);
      if ('failure' in answer) throw answer.failure;
      response.json({ data: answer.data });
    };
  return { keep: answerWith(keep), remove: answerWith(remove) };
}

function textsOf(body: Parameters<typeof toDraft>[0]): string[] {
  return Object.values(toDraft(body)).filter((text) => text !== undefined);
}

function bytesOf(body: Parameters<typeof toDraft>[0]): number {
  return textsOf(body).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
