import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import { countCharacters } from '@shelfwise/facts/text/keyword';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { maxShareLinks, noPages, type ShareLinks, tooManyLinks } from '../share-links/share-links.ts';
import { findTrackedListing } from './answers/tracked-app.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter, wholeNumber } from './route/fields.ts';
import { shareLink } from './shapes/share-link.ts';

const maxDays = 90;
const maxLabelLength = 100;

const label = z
  .string()
  .refine(
    (text) => countCharacters(text) >= 1 && countCharacters(text) <= maxLabelLength,
    `must have 1 to ${maxLabelLength} characters`,
  )
  .refine((text) => !hasInvalidCharacters(text), 'must not contain NUL or broken Unicode')
  .meta({
    description: `A name of 1 to ${maxLabelLength} characters, by which you find the link again. The page does not show it.`,
    examples: ['For the agency'],
    minLength: 1,
    maxLength: maxLabelLength,
    pattern: '^[^\\u0000\\ufffd]*$',
  });

type Deps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing'>;
  shareLinks: Pick<ShareLinks, 'create' | 'end'>;
};

const appId = idParameter('Id of the application in Shelfwise.');

export const createShareLink = defineRoute({
  method: 'post',
  path: '/api/v1/applications/{id}/share-links',
  operationId: 'createShareLink',
  tag: 'Applications',
  summary: 'Make a link that shows an application',
  description: `The address of a page that shows this application to everyone who has it, without a key: its ranks, visibility and rank distribution, as they are kept. It shows nothing else of the account, and search engines are asked not to index it. It ends on its day, by DELETE, and with the application, the account or its plan. The address is shown once. An account has at most ${maxShareLinks} links. Repeating the call makes another link.`,
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: appId }),
  body: z.strictObject({
    days: wholeNumber(maxDays)
      .min(1)
      .meta({ description: `How many days it is valid, 1 to ${maxDays}.`, examples: [30] }),
    label,
  }),
  sample: { params: { id: 1 }, body: { days: 30, label: 'For the agency' } },
  data: shareLink.extend({
    address: z.string().meta({
      description: 'The address of the page. It cannot be read again: only a hash of its secret is stored.',
      examples: [`https://aso.example.com/dashboard/shared/sw_share_${'x'.repeat(43)}`],
    }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
    NOT_FOUND: noPages,
    PLAN_LIMIT: tooManyLinks,
  },
  async handler(deps: Deps, { account, plan, params, body, call }) {
    await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
    const app = { accountId: account.id, appId: params.id };
    return { data: await deps.shareLinks.create(app, { plan, ...body }) };
  },
});

export const endShareLink = defineRoute({
  method: 'delete',
  path: '/api/v1/applications/{id}/share-links/{link_id}',
  operationId: 'endShareLink',
  tag: 'Applications',
  summary: 'End a link that shows an application',
  description: 'Its page is not found from now on. Repeating the call is safe.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: appId, link_id: idParameter('Id of the link, from the list of links.') }),
  sample: { params: { id: 1, link_id: 1 } },
  data: z.object({
    id: shareLink.shape.id,
    ended: z.boolean().meta({
      description: 'Whether this call ended it; false: the application has no such link any more.',
      examples: [true],
    }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
  },
  async handler(deps: Deps, { account, params, call }) {
    await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
    const ended = await deps.shareLinks.end({ accountId: account.id, appId: params.id }, params.link_id);
    return { data: { id: params.link_id, ended } };
  },
});
