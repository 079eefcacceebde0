import { type Figure, known, unknown } from '@shelfwise/dashboard/figure';
import type { OverviewRow } from '@shelfwise/dashboard/pages/overview/model';
import type { AsoHealth } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import { type ApplicationsDeps, application, toApplication } from '../../routes/list-applications.ts';
import { defineRoute } from '../../routes/route/define-route.ts';
import * as shapes from '../../routes/shapes/shapes.ts';

const noEarlier = z.enum(['no_earlier_day', 'other_version', 'words_missing']);

/** The audit of an earlier day; `missing`: why its scores are not compared, null: they are. */
const auditBefore = z.object({
  day: shapes.date.nullable(),
  global: z.number().nullable(),
  missing: noEarlier.nullable(),
});

type AuditBefore = z.output<typeof auditBefore>;

/** The applications, each with what its audit is compared with. For the page only; one call, as the list of the API. */
export const listAuditedApps = defineRoute({
  method: 'get',
  path: '/dashboard/applications',
  operationId: 'listAuditedApps',
  tag: 'Applications',
  summary: 'List tracked applications with the audits of an earlier day',
  description: 'Of the overview.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  data: z.array(application.extend({ audit_before: auditBefore })).max(shapes.maxListRows),
  async handler(deps: ApplicationsDeps, { account, call }) {
    const { applications } = await deps.tracking.listApplications({ account_id: account.id }, call);
    return {
      data: applications.map((row) => ({
        ...toApplication(row),
        audit_before: toAuditBefore(row.aso_health),
      })),
    };
  },
});

function toAuditBefore(health: AsoHealth | null): AuditBefore {
  const earlier = health?.earlier ?? null;
  const isComplete = health !== null && !health.is_partial && health.pending_at === null;
  if (earlier === null)
    return {
      day: null,
      global: null,
      missing: health === null || isComplete ? 'no_earlier_day' : 'words_missing',
    };
  const { day, global } = earlier;
  return { day, global, missing: earlier.is_other_version ? 'other_version' : null };
}

/** How the overall score of an audit changed since the last one of an earlier day. */
export function toHealthChange(
  score: number,
  { day, global, missing }: AuditBefore,
): OverviewRow['healthChange'] {
  const points: Figure =
    missing === null && global !== null ? known(score - global) : unknown(missing ?? 'no_earlier_day');
  return { points, since: missing === null ? day : null };
}
