import { z } from 'zod';
import type { Clients } from '../../clients.ts';
import { defineRoute } from '../../routes/route/define-route.ts';
import { appNotTracked } from '../../routes/route/error-examples.ts';
import { idParameter } from '../../routes/route/fields.ts';
import * as shapes from '../../routes/shapes/shapes.ts';

/** The competitors of an app by name, for the page only: their visibility, which the public list has, reads result pages. */
export const nameCompetitors = defineRoute({
  method: 'get',
  path: '/dashboard/competitors',
  operationId: 'nameCompetitors',
  tag: 'Competitors',
  summary: 'Name the competitors of an application',
  description: 'Of the page of rivals.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  query: z.object({ app_id: idParameter('Id of the application in Shelfwise.') }),
  data: z
    .array(
      z.object({ competitor_id: shapes.relationId, app_id: shapes.storeIdentifier, title: shapes.title }),
    )
    .max(shapes.maxListRows),
  errors: { APP_NOT_FOUND: appNotTracked },
  async handler(deps: { tracking: Pick<Clients['tracking'], 'listCompetitors'> }, { account, query, call }) {
    const request = { account_id: account.id, app_id: query.app_id };
    const { relations } = await deps.tracking.listCompetitors(request, call);
    return {
      data: relations.flatMap(({ id, competitor }) => {
        const listing = competitor?.listing;
        return listing ? [{ competitor_id: id, app_id: listing.app_id, title: listing.title ?? null }] : [];
      }),
    };
  },
});
