import { z } from 'zod';
import type { Clients } from '../../clients.ts';
import { analyzeNiche, toAnalysis } from '../../routes/analyze-niche.ts';
import { defineRoute } from '../../routes/route/define-route.ts';
import { inStorefront, storefrontFields, topicField } from '../../routes/route/fields.ts';

type Deps = { niche: Pick<Clients['niche'], 'findNiche'> };

const progress = z.object({
  isRunning: z.boolean(),
  ahead: z.int(),
  phase: z.string().nullable(),
  candidates: z.int().nullable(),
  read: z.int().nullable(),
});

/**
 * What is kept of a topic, and how far its analysis is: for the page only, because the API has the analysis itself. It starts
 * nothing and spends nothing.
 */
export const findKeptNiche = defineRoute({
  method: 'get',
  path: '/dashboard/niches',
  operationId: 'findKeptNiche',
  tag: 'Discovery',
  summary: 'Find a kept analysis',
  description: 'Of the page of niches.',
  cost: 0,
  services: ['niche'],
  deadlineMs: 5000,
  query: inStorefront(z.object({ topic: topicField, ...storefrontFields })),
  data: z.object({
    topic: z.string(),
    analysis: z
      .object({ data: analyzeNiche.data, leftOut: z.int(), warnings: z.array(z.string()) })
      .nullable(),
    progress: progress.nullable(),
  }),
  async handler(deps: Deps, { account, query, call }) {
    const { topic, ...storefront } = query;
    const reply = await deps.niche.findNiche({ account_id: account.id, storefront, topic }, call);
    const { analysis, progress: found } = reply;
    return {
      data: {
        topic,
        analysis: analysis && toAnalysis(analysis),
        progress: found && {
          isRunning: found.is_running,
          ahead: found.ahead,
          phase: found.phase ?? null,
          candidates: found.candidates ?? null,
          read: found.read ?? null,
        },
      },
    };
  },
});
