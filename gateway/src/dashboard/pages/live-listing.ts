import { z } from 'zod';
import type { Clients } from '../../clients.ts';
import { asoReport, toAsoReport } from '../../routes/answers/aso-report.ts';
import { findTrackedListing } from '../../routes/answers/tracked-app.ts';
import { defineRoute } from '../../routes/route/define-route.ts';
import { idParameter } from '../../routes/route/fields.ts';
import { scoringVersion } from '../../routes/shapes/shapes.ts';

const text = z.string().nullable();

type Deps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing'>;
  scoring: Pick<Clients['scoring'], 'getAsoHealth' | 'getKeywordsField'>;
};

/**
 * What a draft is compared with, for a page alone: the whole texts of the live listing with the kept keywords field, and the
 * stored audit with its words and the version of its scores. A text is null when it could not be read.
 */
export const getLiveListing = defineRoute({
  method: 'get',
  path: '/dashboard/apps/{id}/live-listing',
  operationId: 'getLiveListing',
  tag: 'Metadata',
  summary: 'Get the live listing of an application',
  description: 'Only for the pages of the dashboard.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  data: z.object({
    texts: z.object({ title: text, subtitle: text, description: text, kw_field: text }),
    audit: z.object({ report: asoReport, scoring_version: scoringVersion }).nullable(),
  }),
  async handler(deps: Deps, { account, params, call }) {
    const app = await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
    const [kept, { report }] = await Promise.all([
      deps.scoring.getKeywordsField({ account_id: account.id, app_id: params.id }, call),
      deps.scoring.getAsoHealth({ app, include_words: true, account_id: account.id }, call),
    ]);
    const { title = null, subtitle = null, description = null } = app.listing ?? {};
    return {
      data: {
        texts: { title, subtitle, description, kw_field: kept.kw_field ?? null },
        audit: report && {
          report: toAsoReport(report, { includeWords: true }),
          scoring_version: report.scoring_version,
        },
      },
    };
  },
});
