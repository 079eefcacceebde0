import type { TimelineEntry } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { appNotTracked } from './common/error-sentences.ts';
import { flagParameter, idParameter } from './common/fields.ts';
import { toTimestamp } from './common/from-proto.ts';
import { healthReport, toHealthReport } from './common/health-report.ts';
import * as shapes from './common/shapes.ts';
import { staleMeta, staleSince, toStaleMeta } from './common/stale-data.ts';
import { findTrackedListing, toTrackedApp, trackedApp } from './common/tracked-app.ts';
import { getAsoHealthExample } from './examples/get-aso-health-example.ts';

const release = z.object({
  date: shapes.timestamp.meta({
    description: 'When the store says that it was released, else when it was first seen.',
  }),
  version: z
    .string()
    .nullable()
    .meta({ description: 'Null when the store does not say.', examples: ['23.5.0'] }),
  global: shapes.score.meta({ description: 'The overall score that it had last.', examples: [70] }),
});

export const getAsoHealth = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/aso-health',
  operationId: 'getAsoHealth',
  summary: 'ASO Health report of an application',
  description:
    'The stored audit of its listing: three axes, every field, the terms that it aims at, and what to improve. It is computed anew when the listing changes, a word is measured or a day has passed.',
  cost: 1,
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Internal app id.') }),
  query: z.object({
    include_words: flagParameter('true: each field also lists its words.').optional(),
  }),
  body: null,
  data: z.object({
    app: trackedApp.meta({ description: 'The application.' }),
    report: healthReport
      .nullable()
      .meta({ description: 'Null while the audit has not reached it; that is not a score of 0.' }),
    timeline: z.array(release).max(400).meta({ description: 'Past releases, newest first, 400 at most.' }),
  }),
  meta: staleMeta,
  example: getAsoHealthExample,
  errors: {
    APP_NOT_FOUND: appNotTracked,
    STORE_FETCH_FAILED:
      'This database holds readings of the sample catalog, and store-fetch now reads live stores. Use another database or set STORE_SOURCE back.',
  },
  async handler({ account, params, query, clients, call, now }) {
    const includeWords = query.include_words ?? false;
    const listing = await findTrackedListing(clients, { account_id: account.id, id: params.id }, call);
    const request = { app: listing, include_words: includeWords };
    const { report, timeline } = await clients.scoring.getAsoHealth(request, call);
    return {
      data: {
        app: toTrackedApp(listing),
        report: report && toHealthReport(report, { includeWords }),
        timeline: timeline.map(toRelease),
      },
      meta: toStaleMeta(staleSince(listing, now)),
    };
  },
});

function toRelease({ date, version, global }: TimelineEntry): z.output<typeof release> {
  return { date: toTimestamp(date), version: version ?? null, global };
}
