import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from '../routes/route/define-route.ts';
import { storeField, storeIdentifierField } from '../routes/route/fields.ts';
import type { CallAsSession } from './call-as-session.ts';

const icon = z.object({
  image: z.instanceof(Uint8Array),
  content_type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
});

type Deps = { storeFetch: Pick<Clients['storeFetch'], 'getIcon'> };

/** A call of the pages alone. It names an app, never an address: that is the one which the store has shown. */
const getIcon = defineRoute({
  method: 'get',
  path: '/dashboard/icons/{store}/{app_id}',
  operationId: 'getIcon',
  tag: 'Applications',
  summary: 'Show the icon of an app',
  description: 'Only for the pages of the dashboard.',
  cost: 0,
  services: ['store-fetch'],
  // Longer than own work takes, so that a slow image server does not count as a slow service.
  deadlineMs: 6000,
  params: z.object({ store: storeField, app_id: storeIdentifierField }),
  data: icon,
  async handler(deps: Deps, { params, call }) {
    return { data: icon.parse(await deps.storeFetch.getIcon(params, call)) };
  },
});

/**
 * Answers with the icon. A page shows a letter in place of one that is not known or cannot be read: both are 204, because neither is a
 * failure of this address, and browsers log a failure for each image.
 */
export function createShowIcon(callAsSession: CallAsSession): RequestHandler {
  return async (request, response) => {
    const params = { store: String(request.params.store), app_id: String(request.params.app_id) };
    const answer = await callAsSession(response)(getIcon, { params });
    if ('failure' in answer) {
      const { failure } = answer;
      if (failure.code !== 'NOT_FOUND' && failure.code !== 'STORE_FETCH_FAILED') throw failure;
      response.status(204).end();
      return;
    }
    const { image, content_type: type } = answer.data;
    const hash = createHash('sha256').update(image).digest('base64url').slice(0, 22);
    response.set({
      'Content-Type': type,
      'Cache-Control': 'private, max-age=86400',
      // Opened by itself, an image may do nothing.
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      ETag: `"${hash}"`,
    });
    response.send(Buffer.from(image));
  };
}
