import type { Application } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toStorefront, toTimestamp } from './answers/from-proto.ts';
import { auditFields, enoughWords, findStaleSince, toAuditFields } from './answers/listing-warnings.ts';
import { csvOfList } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import { tieredAxisScores, toTieredAxisScores } from './shapes/axis-scores.ts';
import { listingFields, toListingFields, unlistedSince } from './shapes/listing-fields.ts';
import * as shapes from './shapes/shapes.ts';

const asoHealth = tieredAxisScores.extend({
  computed_at: shapes.timestamp.meta({
    description:
      'Time of the audit that last changed these scores, or of the first audit of its day. The report itself can be newer.',
  }),
});

export const application = z.object({
  id: shapes.internalId,
  ...listingFields,
  ...shapes.storefront,
  keyword_count: shapes.count.meta({ description: 'Number of keywords tracked for it.' }),
  aso_health: asoHealth.nullable().meta({
    description: `ASO Health scores, without a kept keywords field; null until ${enoughWords} have been read.`,
  }),
  unlisted_since: unlistedSince,
});

export type ApplicationsDeps = { tracking: Pick<Clients['tracking'], 'listApplications'> };

export const listApplications = defineRoute({
  method: 'get',
  path: '/api/v1/applications',
  operationId: 'listApplications',
  tag: 'Applications',
  summary: 'List tracked applications',
  description:
    'Newest first, at most 1,000; use app_id to get an older one. Other endpoints expect the id of a row; it never changes.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  query: z.object({ app_id: idParameter('Only the application with this id in Shelfwise.').optional() }),
  data: z.array(application).max(shapes.maxListRows),
  csv: csvOfList(application),
  meta: shapes.truncatedListMeta.extend(auditFields),
  errors: {
    APP_NOT_FOUND: appNotTracked,
  },
  async handler(deps: ApplicationsDeps, { account, query, call, now }) {
    const request = { account_id: account.id, app_id: query.app_id };
    const { applications, total } = await deps.tracking.listApplications(request, call);
    const moments = applications.map(({ listing }) => listing && findStaleSince(listing, now));
    const audits = applications.map((app) => app.aso_health);
    return {
      data: applications.map(toApplication),
      meta: {
        ...shapes.toTruncatedListMeta(total, applications.length),
        ...toAuditFields(moments, {
          isPending: audits.some((audit) => audit === null || audit.pending_at !== null),
          isPartial: audits.some((audit) => audit?.is_partial === true),
        }),
      },
    };
  },
});

export function toApplication({ listing: app, ...row }: Application): z.output<typeof application> {
  if (app === null) throw new Error('the reply of tracking has an application without its listing');
  const { app_id: appId, title, description, ...listing } = toListingFields(app.listing);
  return {
    id: app.id,
    app_id: appId,
    title,
    description,
    ...toStorefront(app.storefront),
    ...listing,
    keyword_count: row.keyword_count,
    aso_health: row.aso_health && {
      ...toTieredAxisScores(row.aso_health),
      computed_at: toTimestamp(row.aso_health.computed_at),
    },
    unlisted_since: app.unlisted_since?.toISOString() ?? null,
  };
}
