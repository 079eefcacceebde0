import { z } from 'zod';
import { distributionDay } from '../../routes/get-rank-distribution.ts';
import {
  answerMovers,
  listMovers,
  type MoversDeps,
  moversParams,
  moversQuery,
} from '../../routes/list-movers.ts';
import { defineRoute } from '../../routes/route/define-route.ts';
import type { PageContext } from './page-context.ts';
import { readDistribution, toDistribution } from './read-distribution.ts';
import { shownTop, topKeyword, toTopRow } from './top-keywords.ts';

/**
 * The movers, how many keywords rank where, and which bring most, from the same result pages. For the page only. `latest` null: nothing
 * was read.
 */
const getMoversAndRanks = defineRoute({
  method: 'get',
  path: '/dashboard/apps/{id}/movers',
  operationId: 'getMoversAndRanks',
  tag: 'Applications',
  summary: 'Get what moved, and where the keywords rank',
  description: 'Of the page of an app.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: moversParams,
  query: moversQuery,
  data: z.object({
    movers: listMovers.data,
    latest: distributionDay.omit({ traffic_share: true }).nullable(),
    top: z.array(topKeyword).max(shownTop),
  }),
  meta: listMovers.meta,
  async handler(deps: MoversDeps, request) {
    const { answer, latest, top } = await answerMovers(deps, request, { top: shownTop });
    const rows = top.map((row) => toTopRow(row, request.now));
    return { data: { movers: answer.data, latest, top: rows }, meta: answer.meta };
  },
});

/**
 * What moved most, and where the keywords rank on the newest day that was read: one call. Where it is refused or fails, as for a plan
 * without days to compare with, the ranks are read alone.
 */
export async function readMoversAndRanks(
  context: PageContext,
  appId: string,
  query: { days: string; per_page: string },
) {
  const movers = await context.call(getMoversAndRanks, { params: { id: appId }, query });
  if ('failure' in movers) return { movers, ranks: await readDistribution(context, appId) };
  const { latest } = movers.data;
  return { movers, ranks: { distribution: latest && toDistribution([latest]), missing: null } };
}
