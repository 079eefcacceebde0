import { type NicheAnalysis, type NicheCluster, NicheOrigin } from '@shelfwise/proto/niche/v1/niche';
import { AppError } from '@shelfwise/runtime/errors';
import { withinDeadline } from '@shelfwise/runtime/grpc/grpc-client';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { capReached } from './common/error-sentences.ts';
import { isSoldIn, marketFields, soldInOptions, topicField } from './common/fields.ts';
import { toMarket, toTimestamp } from './common/from-proto.ts';
import { historyMetaFields, toHistoryMeta } from './common/history-saved.ts';
import * as shapes from './common/shapes.ts';
import { analyzeNicheExample } from './examples/analyze-niche-example.ts';

/** A kept analysis is one look into a database. */
const findMs = 5000;

const intents = [
  'navigational',
  'informational',
  'utility',
  'entertainment',
  'games',
  'learning',
  'social',
  'lifestyle',
  'shopping',
] as const;

const intentType = z
  .enum(intents)
  .meta({ description: 'What people who search for it are after.', examples: ['utility'] });

const keyword = z.object({
  name: shapes.keyword,
  trafficScore: shapes.score.meta({ description: 'How much it is searched, 0 to 100.', examples: [68] }),
  difficultyScore: shapes.score.meta({ description: 'How hard it is to rank, 0 to 100.', examples: [60] }),
});

const cluster = z.object({
  name: z.string().meta({ description: 'Its most searched keyword.', examples: ['habit tracker'] }),
  appConcept: z.string().meta({ description: 'The app that would serve it.' }),
  intentType,
  opportunityScore: z
    .number()
    .min(0)
    .max(100)
    .meta({ description: 'How open it is, 0 to 100.', examples: [47.2] }),
  keywords: z.array(keyword).max(shapes.maxNicheTerms).meta({ description: 'Most traffic first.' }),
});

const analysis = z.object({
  topic: shapes.topic,
  store: shapes.store,
  country: shapes.country,
  lang: shapes.lang,
  totalKeywords: shapes.countTo(shapes.maxNicheTerms).meta({ description: 'Keywords of all clusters.' }),
  analyzedAt: shapes.timestamp.meta({ description: 'When the analysis was made.' }),
  clusters: z.array(cluster).max(shapes.maxNicheTerms).meta({ description: 'Most opportunity first.' }),
});

/** More than ten suggestions for each of 31 prefixes and all phrases of 20 titles are. */
const maxFound = 100_000;
/** Completions of the topic, alone and with each letter, and its result page; one of them at least is answered. */
const maxUnanswered = 31;

const meta = z.object({
  cached: z.boolean().meta({
    description: 'Whether it was kept before this call.',
  }),
  candidates: shapes.countTo(maxFound).meta({ description: 'How many terms were found.', examples: [120] }),
  left_out: shapes.countTo(maxFound).meta({
    description: `How many of them have no scores: for want of time, because the store refused, or because they are beyond the ${shapes.maxNicheTerms} that an analysis looks at.`,
    examples: [7],
  }),
  unanswered: shapes.countTo(maxUnanswered).meta({
    description:
      'How much of what the store was asked to find terms it did not answer: completions of the topic, alone and with each letter, and its result page.',
    examples: [0],
  }),
  ...historyMetaFields,
});

export const analyzeNiche = defineRoute({
  method: 'get',
  path: '/api/v1/niches',
  operationId: 'analyzeNiche',
  summary: 'Analyze a niche',
  description:
    'Search terms around a topic, clustered, with how open each cluster is. A new analysis takes up to a few minutes: allow 300 seconds. It is kept for everybody, for 7 days, or for an hour when the store had kept something from it, and finished when its caller has gone; callers at the same time share one. Only an analysis that this call began counts as one of niche_analyses.',
  cost: 1,
  deadlineMs: 300_000,
  params: z.object({}),
  query: z.object({ topic: topicField, ...marketFields }).refine(isSoldIn, soldInOptions),
  body: null,
  data: analysis,
  meta,
  example: analyzeNicheExample,
  errors: {
    PLAN_LIMIT: capReached('niche_analyses'),
    ANALYSIS_FAILED:
      'The analysis of "habit tracker" could not complete: no search term could be read from the App Store in time. What was read is kept: another try is quicker.',
  },
  async handler({ account, query, clients, countUse, noteUse, call }) {
    const { topic, ...storefront } = query;
    const request = { account_id: account.id, storefront, topic };

    async function analyze() {
      const reply = await clients.niche.analyzeNiche(request, call);
      return { isFresh: reply.origin === NicheOrigin.FRESH, answer: toAnswer(reply) };
    }

    /** Of an analysis that costs this call nothing, because it is kept or was begun by another; null: there is none. */
    async function answerFree() {
      const found = await clients.niche.findNiche(request, withinDeadline(call, findMs, 0));
      if (found.analysis) return toAnswer({ ...found, origin: NicheOrigin.CACHED });
      if (!found.is_under_way) return null;
      const { isFresh, answer } = await analyze();
      // The other one failed before it could be joined.
      if (isFresh) await noteUse('niche_analyses');
      return answer;
    }

    const free = await answerFree();
    if (free) return free;
    try {
      return (await countUse('niche_analyses', analyze, ({ isFresh }) => isFresh)).answer;
    } catch (error) {
      // A call that came at the same moment may have begun this very analysis with the last use.
      const shared = isPlanLimit(error) ? await answerFree() : null;
      if (shared) return shared;
      throw error;
    }
  },
});

function isPlanLimit(error: unknown): boolean {
  return error instanceof AppError && error.code === 'PLAN_LIMIT';
}

/** @throws when niche left out the analysis, or used a word that the interface does not know */
function toAnswer(reply: { analysis: NicheAnalysis | null; origin: NicheOrigin; is_saved: boolean }) {
  const { analysis: found, origin, is_saved: isSaved } = reply;
  if (found === null) throw new Error('niche answered without the analysis');
  const { topic, storefront, analyzed_at: analyzedAt, clusters, candidates, unanswered } = found;
  return {
    data: {
      topic,
      ...toMarket(storefront),
      totalKeywords: found.total_keywords,
      analyzedAt: toTimestamp(analyzedAt),
      clusters: clusters.map(toCluster),
    },
    meta: {
      cached: origin === NicheOrigin.CACHED,
      candidates,
      left_out: found.left_out,
      unanswered,
      ...toHistoryMeta(isSaved),
    },
  };
}

function toCluster(found: NicheCluster): z.output<typeof cluster> {
  return {
    name: found.name,
    appConcept: found.app_concept,
    intentType: intentType.parse(found.intent_type),
    opportunityScore: found.opportunity_score,
    keywords: found.keywords.map(
      ({ name, traffic_score: trafficScore, difficulty_score: difficultyScore }) => ({
        name,
        trafficScore: trafficScore,
        difficultyScore: difficultyScore,
      }),
    ),
  };
}
