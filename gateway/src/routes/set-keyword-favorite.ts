import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { keywordNotTracked } from './common/error-sentences.ts';
import { idParameter } from './common/fields.ts';
import * as shapes from './common/shapes.ts';
import { setKeywordFavoriteExample } from './examples/set-keyword-favorite-example.ts';

export const setKeywordFavorite = defineRoute({
  method: 'patch',
  path: '/api/v1/keywords/{id}/apps/{app_id}/favorite',
  operationId: 'setKeywordFavorite',
  summary: 'Mark a tracked keyword as favorite, or not',
  description: 'A keyword that is tracked for several applications is a favorite of each of them separately.',
  cost: 0,
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Keyword id.'), app_id: idParameter('Internal app id.') }),
  query: z.object({}),
  body: z.strictObject({
    is_favorite: z.boolean().meta({ description: 'Whether it is to be one.', examples: [true] }),
  }),
  data: z.object({ keyword_id: shapes.keywordId, app_id: shapes.internalId, is_favorite: shapes.isFavorite }),
  meta: null,
  example: setKeywordFavoriteExample,
  errors: { NOT_FOUND: keywordNotTracked },
  async handler({ account, params, body, clients, call }) {
    const request = {
      account_id: account.id,
      keyword_id: params.id,
      app_id: params.app_id,
      is_favorite: body.is_favorite,
    };
    return { data: await clients.tracking.setKeywordFavorite(request, call) };
  },
});
