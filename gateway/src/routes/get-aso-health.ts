import type { PendingAudit, TimelineEntry } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { asoReport, listingField, toAsoReport, toListingField } from './answers/aso-report.ts';
import { toTimestamp } from './answers/from-proto.ts';
import { auditMeta, enoughWords, findStaleSince, toAuditMeta } from './answers/listing-warnings.ts';
import { findTrackedListing, toTrackedApp, trackedApp } from './answers/tracked-app.ts';
import { defineRoute, type RouteRequest } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { booleanParameter, idParameter } from './route/fields.ts';
import { unlistedSince } from './shapes/listing-fields.ts';
import * as shapes from './shapes/shapes.ts';

const release = z.object({
  date: shapes.timestamp.meta({
    description: 'Release date according to the store, otherwise when the release was first seen.',
  }),
  version: z
    .string()
    .nullable()
    .meta({
      description: 'Version of the release; null when the store does not show it.',
      examples: ['23.5.0'],
    }),
  global: shapes.score.meta({ description: 'Last overall score of the release.', examples: [70] }),
});

const wordCount = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .nullable()
    .meta({ description: `${description} Null: not known.`, examples: [example] });

const pendingAudit = z.object({
  words: wordCount('How many words of name and subtitle (or short description) the audit waits for.', 3),
  words_read: wordCount('How many of them have been read.', 1),
  next_look_at: shapes.timestamp.nullable().meta({
    description:
      'Every unread word is looked at again later, the last one then. Null: they are read as fast as the budget of store calls permits.',
  }),
  fields: z
    .array(listingField)
    .max(4)
    .meta({ description: 'The fields of the present listing, without scores.' }),
});

export type AsoHealthDeps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing'>;
  scoring: Pick<Clients['scoring'], 'getAsoHealth'>;
};

export const asoHealthParams = z.object({ id: idParameter('Id of the application in Shelfwise.') });

export const getAsoHealth = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/aso-health',
  operationId: 'getAsoHealth',
  tag: 'ASO Health',
  summary: 'Get the ASO Health report of an application',
  description:
    'The stored audit of the listing: three axes, every field, the targeted terms, and what to improve. It is recomputed when the listing changes, when a word is measured, and at least once a day. The words of name and subtitle are measured first; the full description of Google Play counts once 80 % of its words have been measured. For an account that keeps the keywords field of the app, the report is computed with it; the timeline, the list of applications and the score history leave it out.',
  cost: 1,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: asoHealthParams,
  query: z.object({
    include_words: booleanParameter('Whether each field lists its words, too.').optional(),
  }),
  sample: { params: { id: 1 } },
  data: z.object({
    app: trackedApp.extend({ unlisted_since: unlistedSince }).meta({ description: 'The application.' }),
    report: asoReport.nullable().meta({
      description: `Null until ${enoughWords} have been read; that is not a score of 0. A report of an earlier listing stays, with the time at which it was computed.`,
    }),
    global_without_kw_field: shapes.score.nullable().meta({
      description:
        'Only while the report includes the keywords field that this account keeps: the overall score without it, which the list of applications shows. Null: the report has no such field.',
      examples: [72],
    }),
    pending: pendingAudit.nullable().meta({
      description:
        'What is known of a listing while its audit is pending (audit_pending in meta); otherwise null.',
    }),
    timeline: z.array(release).max(400).meta({ description: 'Past releases, newest first, at most 400.' }),
  }),
  meta: auditMeta,
  errors: {
    APP_NOT_FOUND: appNotTracked,
    STORE_FETCH_FAILED: 'The listing could not be read from the store. Try again later.',
  },
  handler: (deps: AsoHealthDeps, request) =>
    answerAsoHealth(deps, request, { includeWords: request.query.include_words ?? false }),
});

/** @param options.withoutTracked the words to add leave out the terms that the account tracks, which takes less time */
export async function answerAsoHealth(
  deps: AsoHealthDeps,
  {
    account,
    params,
    call,
    now,
  }: Pick<RouteRequest<typeof asoHealthParams, z.ZodObject, null>, 'account' | 'params' | 'call' | 'now'>,
  { includeWords, withoutTracked = false }: { includeWords: boolean; withoutTracked?: boolean },
) {
  const listing = await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
  const request = {
    app: listing,
    include_words: includeWords,
    account_id: account.id,
    without_tracked_terms: withoutTracked,
  };
  const {
    report,
    timeline,
    global_without_field: withoutField = null,
    pending,
    ...audit
  } = await deps.scoring.getAsoHealth(request, call);
  return {
    data: {
      app: {
        ...toTrackedApp(listing),
        unlisted_since: listing.unlisted_since?.toISOString() ?? null,
      },
      report: report && toAsoReport(report, { includeWords }),
      global_without_kw_field: withoutField,
      pending: pending ? toPendingAudit(pending, { includeWords }) : null,
      timeline: timeline.map(toRelease),
    },
    meta: toAuditMeta([findStaleSince(listing, now)], {
      isPending: audit.is_pending,
      isPartial: audit.is_partial,
    }),
  };
}

function toRelease({ date, version, global }: TimelineEntry): z.output<typeof release> {
  return { date: toTimestamp(date), version: version ?? null, global };
}

function toPendingAudit(
  { words = null, words_read: read = null, next_look_at: nextLookAt, fields }: PendingAudit,
  options: { includeWords: boolean },
): z.output<typeof pendingAudit> {
  return {
    words,
    words_read: read,
    next_look_at: nextLookAt?.toISOString() ?? null,
    fields: fields.map((field) => toListingField(field, options)),
  };
}
