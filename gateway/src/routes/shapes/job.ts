import type { Job, JobItem } from '@shelfwise/proto/jobs/v1/jobs';
import { InspectKeywordReply } from '@shelfwise/proto/scoring/v1/scoring';
import { TrackKeywordResult } from '@shelfwise/proto/tracking/v1/tracking';
import { maxItems } from '@shelfwise/runtime/bulk/bulk-job';
import { z } from 'zod';
import { firstRank, toFirstRank } from '../answers/first-rank.ts';
import { toStorefront, toTimestamp } from '../answers/from-proto.ts';
import { shownInspection, toInspection } from '../answers/inspection.ts';
import * as shapes from './shapes.ts';

/** What a job does with each keyword. Tracking has those of the first kind, scoring those of the second. */
export const jobKinds = ['track_keywords', 'inspect_keywords'] as const;
export type JobKind = (typeof jobKinds)[number];

const states = ['queued', 'running', 'done', 'canceled'] as const;
type State = (typeof states)[number];

export const job = z.object({
  id: shapes.rowId('Id of the job.', 2),
  kind: z
    .enum(jobKinds)
    .meta({ description: 'What the job does with each keyword.', examples: ['track_keywords'] }),
  state: z.enum(states).meta({
    description:
      'queued: nothing has begun. running: some keywords have ended, or are read now. done: all have ended. canceled: the keywords that had not begun never will.',
    examples: ['running'],
  }),
  app_id: shapes.internalId.nullable().meta({
    description: 'The application that the keywords are tracked for; null when they are inspected.',
    examples: [42],
  }),
  ...shapes.storefront,
  total: shapes.boundedCount(maxItems).meta({ description: 'Keywords of the job.', examples: [1000] }),
  done: shapes.boundedCount(maxItems).meta({ description: 'Keywords that have a result.', examples: [340] }),
  failed: shapes
    .boundedCount(maxItems)
    .meta({ description: 'Keywords that ended without one.', examples: [6] }),
  eta: shapes.timestamp.nullable().meta({
    description:
      'When the last keyword ends, at the pace that the budget of the store and the calls of others have allowed so far; null when that is not known, and for a job that has ended.',
  }),
  created_at: shapes.timestamp.meta({ description: 'When the job was created.' }),
  finished_at: shapes.timestamp
    .nullable()
    .meta({ description: 'When it was done or canceled; null while it is open.' }),
});

const itemStates = ['waiting', 'done', 'failed', 'canceled'] as const;

export const jobResult = z.object({
  keyword: z.string().meta({ description: 'The keyword as it was sent.', examples: ['habit tracker'] }),
  state: z.enum(itemStates).meta({
    description:
      'waiting: not ended yet. done: it has a result. failed: it has an error. canceled: it had not ended.',
    examples: ['done'],
  }),
  error: z
    .object({
      code: z.string().meta({
        description: 'The error code that a single call would have; DUPLICATE: already tracked.',
        examples: ['PLAN_LIMIT'],
      }),
      message: z.string().meta({
        description: 'Why the keyword failed, for people.',
        examples: ['Your plan allows 500 tracked keywords. Remove one first.'],
      }),
    })
    .nullable()
    .meta({ description: 'Only of a keyword that failed, else null.' }),
  tracked: firstRank
    .nullable()
    .meta({ description: 'The result as of POST /keywords; null without one, and in a job that inspects.' }),
  inspection: shownInspection.nullable().meta({
    description:
      'The result as of GET /keywords/inspect, without the applications that track the keyword; null without one, and in a job that tracks.',
  }),
});

export const kindOf = ({ id }: Pick<Job, 'id'>): JobKind =>
  id % 2 === 1 ? 'track_keywords' : 'inspect_keywords';

const stateOf = ({ state }: Pick<Job, 'state'>): State => {
  const shown = states.find((one) => one === state.toLowerCase());
  if (!shown) throw new Error(`the reply of a service has the unknown state ${state}`);
  return shown;
};

export const isOpen = (message: Pick<Job, 'finished_at'>): boolean => message.finished_at === null;

/** @throws when a part is missing from a service's reply */
export function toJob(message: Job | null): z.output<typeof job> {
  if (message === null) throw new Error('the reply of a service has no job');
  const { id, target, total, done, failed, eta, created_at, finished_at } = message;
  return {
    id,
    kind: kindOf(message),
    state: stateOf(message),
    app_id: target?.app_id ?? null,
    ...toStorefront(target?.storefront ?? null),
    total,
    done,
    failed,
    eta: eta?.toISOString() ?? null,
    created_at: toTimestamp(created_at),
    finished_at: finished_at?.toISOString() ?? null,
  };
}

export function toJobResult(
  { text: keyword, outcome }: JobItem,
  { kind, state, store, country, lang }: z.output<typeof job>,
  now: Date,
): z.output<typeof jobResult> {
  const shown = { keyword, error: null, tracked: null, inspection: null };
  if (outcome === null) return { ...shown, state: state === 'canceled' ? 'canceled' : 'waiting' };
  if (outcome.$case === 'failure') {
    return { ...shown, state: 'failed', error: outcome.value };
  }
  if (kind === 'track_keywords') {
    const tracked = toFirstRank(TrackKeywordResult.decode(outcome.value), now);
    if ('error' in tracked) throw new Error('a keyword that failed has a result');
    return { ...shown, state: 'done', tracked };
  }
  const reply = InspectKeywordReply.decode(outcome.value);
  const inspection = toInspection(reply, { store, country, lang }, { now, isTracked: false });
  return { ...shown, state: 'done', inspection };
}
