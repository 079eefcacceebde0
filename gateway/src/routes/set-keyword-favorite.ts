import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { keywordNotTracked } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = { tracking: Pick<Clients['tracking'], 'setKeywordFavorite'> };

export const setKeywordFavorite = defineRoute({
  method: 'patch',
  path: '/api/v1/keywords/{id}/apps/{app_id}/favorite',
  operationId: 'setKeywordFavorite',
  tag: 'Keywords',
  summary: 'Set or clear the favorite mark of a keyword',
  description: 'The mark belongs to one application: other applications that track the keyword keep theirs.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({
    id: idParameter('Keyword id.'),
    app_id: idParameter('Id of the application in Shelfwise.'),
  }),
  body: z.strictObject({
    is_favorite: z
      .boolean()
      .meta({ description: 'Whether the keyword should be a favorite.', examples: [true] }),
  }),
  sample: { params: { id: 1, app_id: 1 }, body: { is_favorite: true } },
  data: z.object({ keyword_id: shapes.keywordId, app_id: shapes.internalId, is_favorite: shapes.isFavorite }),
  errors: { NOT_FOUND: keywordNotTracked },
  async handler(deps: Deps, { account, params, body, call }) {
    const request = {
      account_id: account.id,
      keyword_id: params.id,
      app_id: params.app_id,
      is_favorite: body.is_favorite,
    };
    return { data: await deps.tracking.setKeywordFavorite(request, call) };
  },
});
