import { maxItems, maxJobsPerHour, maxOpenJobs } from '@shelfwise/runtime/bulk/bulk-job';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute, type RouteDeps } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idField, idParameter, inStorefront, keywordField, storefrontFields } from './route/fields.ts';
import { maxPageRows, pageFields } from './route/paged-list.ts';
import { isOpen, job, jobKinds, jobResult, toJob, toJobResult } from './shapes/job.ts';
import * as shapes from './shapes/shapes.ts';

const storefrontKeys = ['store', 'country', 'lang'] as const;

/** The fields that each kind needs; those of the other kind are refused. */
const fieldsOf = { track_keywords: ['app_id'], inspect_keywords: storefrontKeys } as const;

const body = inStorefront(
  z.strictObject({
    kind: z
      .enum(jobKinds)
      .meta({ description: 'What is done with each keyword.', examples: ['track_keywords'] }),
    app_id: idField(
      'Id of the application in Shelfwise that the keywords are tracked for: only for track_keywords.',
    ).optional(),
    store: storefrontFields.store.optional(),
    country: storefrontFields.country.optional(),
    lang: storefrontFields.lang.optional(),
    keywords: z
      .array(keywordField)
      .min(1)
      .max(maxItems)
      .meta({ description: `1 to ${maxItems} keywords. store, country and lang only for inspect_keywords.` }),
  }),
).superRefine(requireFieldsOfKind, { when: ({ value }) => typeof value === 'object' && value !== null });

type JobBody = z.output<typeof body>;

type CreateDeps = {
  tracking: Pick<Clients['tracking'], 'createJob' | 'listJobs'>;
  scoring: Pick<Clients['scoring'], 'createJob' | 'listJobs'>;
} & Pick<RouteDeps, 'wakeJobs'>;
type GetDeps = {
  tracking: Pick<Clients['tracking'], 'getJob'>;
  scoring: Pick<Clients['scoring'], 'getJob'>;
};
type CancelDeps = {
  tracking: Pick<Clients['tracking'], 'cancelJob'>;
  scoring: Pick<Clients['scoring'], 'cancelJob'>;
};

const jobId = idParameter('Id of the job, from its creation or the list of jobs.');
const jobNotFound = 'This account has no job with that id.';

export const createJob = defineRoute({
  method: 'post',
  path: '/api/v1/jobs',
  operationId: 'createJob',
  tag: 'Keywords',
  summary: 'Track or inspect many keywords',
  description: `Tracks or inspects up to ${maxItems} keywords in the background: the answer comes at once, with status 202. Calls that wait for a store go first, and the jobs of all accounts take turns. A keyword spends what its single call spends, when it begins: tracking none, an inspection one API request, and one of keyword_inspections unless the account tracks the keyword. At a spent quota or cap the rest fails with its code. A keyword that is sent again in the list is left out. An account has at most ${maxOpenJobs} open jobs, and creates at most ${maxJobsPerHour} of a kind in an hour. Repeating the call creates another job.`,
  cost: 0,
  status: 202,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  body,
  sample: {
    body: {
      kind: 'inspect_keywords',
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
      keywords: ['habit tracker', 'daily planner'],
    },
  },
  data: job,
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: `An account has at most ${maxOpenJobs} open jobs. Wait for one, or cancel it.`,
  },
  async handler(deps: CreateDeps, { account, body, call }) {
    const [own, other] =
      body.kind === 'track_keywords' ? [deps.tracking, deps.scoring] : [deps.scoring, deps.tracking];
    // Jobs of both kinds that are created at the same moment do not see each other: each kind has five at most.
    const { jobs } = await other.listJobs({ account_id: account.id }, call);
    const request = {
      account_id: account.id,
      target: toTarget(body),
      texts: body.keywords,
      max_open: Math.max(0, maxOpenJobs - jobs.filter(isOpen).length),
    };
    const created = toJob(await own.createJob(request, call));
    deps.wakeJobs();
    return { data: created };
  },
});

export const getJob = defineRoute({
  method: 'get',
  path: '/api/v1/jobs/{id}',
  operationId: 'getJob',
  tag: 'Keywords',
  summary: 'Read a job and its results',
  description:
    'How far the job is, and a page of its keywords in the order sent, each with its result once it has one. Ask again every few seconds while finished_at is null. A job is kept for 30 days.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: z.object({ id: jobId }),
  query: z.object(pageFields),
  // The first job of the kind of the sample: those that track have the odd ids.
  sample: { params: { id: 2 } },
  data: job.extend({
    results: z
      .array(jobResult)
      .max(maxPageRows)
      .meta({ description: 'A page of the keywords, in the order sent.' }),
  }),
  meta: shapes.paginationMeta,
  csv: csvTable(jobResult, (data: { results: z.output<typeof jobResult>[] }) => data.results),
  errors: { NOT_FOUND: jobNotFound },
  async handler(deps: GetDeps, { account, params, query, call, now }) {
    const request = { account_id: account.id, id: params.id, page: query.page, per_page: query.per_page };
    const { job: message, items } = await serviceOf(params, deps).getJob(request, call);
    const shown = toJob(message);
    return {
      data: { ...shown, results: items.map((item) => toJobResult(item, shown, now)) },
      meta: shapes.toPaginationMeta(shown.total, query),
    };
  },
});

export const cancelJob = defineRoute({
  method: 'delete',
  path: '/api/v1/jobs/{id}',
  operationId: 'cancelJob',
  tag: 'Keywords',
  summary: 'Cancel a job',
  description:
    'Keywords that have not begun never will; those that are read now still end. What is tracked stays tracked. Repeating the call is safe.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: z.object({ id: jobId }),
  sample: { params: { id: 2 } },
  data: job.extend({
    already_ended: z.boolean().meta({ description: 'Whether the job had ended before.', examples: [false] }),
  }),
  errors: { NOT_FOUND: jobNotFound },
  async handler(deps: CancelDeps, { account, params, call }) {
    const request = { account_id: account.id, id: params.id };
    const { job: message, already_ended } = await serviceOf(params, deps).cancelJob(request, call);
    return { data: { ...toJob(message), already_ended } };
  },
});

/** The service that has a job: the odd ids are tracking's. */
function serviceOf<Service>({ id }: { id: number }, deps: { tracking: Service; scoring: Service }): Service {
  return id % 2 === 1 ? deps.tracking : deps.scoring;
}

function requireFieldsOfKind(sent: object, context: z.core.$RefinementCtx): void {
  const { kind } = sent as { kind?: unknown };
  if (kind !== 'track_keywords' && kind !== 'inspect_keywords') return;
  // A wrong value of a field is one problem.
  const isNamed = (name: string) => context.issues.some(({ path }) => path?.[0] === name);
  for (const [other, names] of Object.entries(fieldsOf))
    for (const name of names) {
      const isSent = name in sent;
      if (other === kind && !isSent)
        context.addIssue({ code: 'custom', path: [name], message: `is required for ${kind}` });
      if (other !== kind && isSent && !isNamed(name))
        context.addIssue({ code: 'custom', path: [name], message: `must be left out for ${kind}` });
    }
}

/** `requireFieldsOfKind` has checked that the fields of the kind are there. */
const storefrontSchema = z.object(storefrontFields);

function toTarget(sent: JobBody) {
  if (sent.kind === 'track_keywords') return { app_id: sent.app_id, storefront: null };
  return { storefront: storefrontSchema.parse(sent) };
}
