import { z } from 'zod';
import { answerChart, type ChartDeps, chartQuery, getTopChart } from '../../routes/get-top-chart.ts';
import { defineRoute } from '../../routes/route/define-route.ts';

/** The chart of today if it has been read, for the page only: it reads no store and spends nothing. */
export const findKeptChart = defineRoute({
  method: 'get',
  path: '/dashboard/charts',
  operationId: 'findKeptChart',
  tag: 'Top charts',
  summary: 'Find a kept chart',
  description: 'Of the page of charts.',
  cost: 0,
  services: ['chart'],
  deadlineMs: 5000,
  query: chartQuery,
  data: z.object({ chart: getTopChart.data, readAt: z.string(), hasDayBefore: z.boolean() }),
  async handler(deps: ChartDeps, request) {
    const { answer, hasDayBefore } = await answerChart(deps, request, { keptOnly: true });
    return { data: { chart: answer.data, readAt: answer.meta.read_at, hasDayBefore } };
  },
});
