import {
  type AnalyzeNicheReply,
  type NicheAnalysis,
  type NicheCluster,
  NicheOrigin,
} from '@shelfwise/proto/niche/v1/niche';
import { z } from 'zod';
import { type Clients, longestAnalysisMs } from '../clients.ts';
import type { CountUse } from '../limits/count-use.ts';
import { toStorefront, toTimestamp } from './answers/from-proto.ts';
import { defineRoute } from './route/define-route.ts';
import { toCapReachedExample } from './route/error-examples.ts';
import { inStorefront, storefrontFields, topicField } from './route/fields.ts';
import { scoredOnDay, shownDay } from './shapes/ages.ts';
import * as shapes from './shapes/shapes.ts';

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
  .meta({ description: 'The intent of the people who search for it.', examples: ['utility'] });

const keyword = z.object({
  name: shapes.keyword,
  trafficScore: shapes.score.meta({ description: 'How much it is searched for, 0 to 100.', examples: [68] }),
  difficultyScore: shapes.score.meta({ description: 'How hard it is to rank, 0 to 100.', examples: [60] }),
  scoredAt: scoredOnDay,
});

const cluster = z.object({
  name: z
    .string()
    .meta({ description: 'The most searched keyword of the cluster.', examples: ['habit tracker'] }),
  appConcept: z.string().meta({
    description:
      'An app that would serve this cluster, what it would do better than the leading apps, and the figures that show this gap.',
    examples: [
      'A Productivity app for “habit tracker” and “daily habits” that is kept up to date, unlike many of today’s leaders: half of the first 10 apps for “habit tracker” have not been updated for 17 months; the best start is “daily habits” with traffic 51 at difficulty 30.',
    ],
  }),
  intentType,
  opportunityScore: z
    .number()
    .min(0)
    .max(100)
    .meta({
      description:
        'How much opportunity it leaves for a new app, 0 to 100: the KEI of its best keyword, and what its other keywords add.',
      examples: [47.2],
    }),
  keywords: z
    .array(keyword)
    .max(shapes.maxNicheTerms)
    .meta({ description: 'Keywords of the cluster, most traffic first.' }),
});

const nicheAnalysis = z.object({
  topic: shapes.topic,
  ...shapes.storefront,
  totalKeywords: shapes
    .boundedCount(shapes.maxNicheTerms)
    .meta({ description: 'Number of keywords in all clusters.' }),
  analyzedAt: shapes.timestamp.meta({ description: 'When the analysis was computed.' }),
  clusters: z
    .array(cluster)
    .max(shapes.maxNicheTerms)
    .meta({ description: 'Clusters of the niche, most opportunity first.' }),
});

/** Well above what an analysis can find: ten suggestions for each of 31 prefixes, and all phrases of 20 titles. */
const maxCandidates = 100_000;
/** Candidates come from 31 completions and one result page. An analysis fails when none of the 32 is answered. */
const maxUnanswered = 31;

const noClustersReasons = [
  'topic_page_short',
  'no_terms_read',
  'no_related_terms',
  'no_searched_terms',
] as const;

const warnings = z
  .array(z.enum(['history_save_failed', 'topic_page_unread', ...noClustersReasons]))
  .max(3)
  .optional()
  .meta({
    description:
      'Absent when there are none. history_save_failed: the answer is valid, but it could not be saved in the history. topic_page_unread: the result page of the topic could not be read, so terms were compared only with the ten apps from which the topic was scored, and fewer are found. Without clusters, one of these says why: topic_page_short: the store shows fewer than two apps for the topic; no_terms_read: no search term but the topic could be read (left_out); no_related_terms: no other term leads to the apps of the topic; no_searched_terms: hardly anybody searches for the topic and the terms about it.',
    examples: [['no_related_terms']],
  });

const meta = z.object({
  cached: z.boolean().meta({
    description: 'Whether the analysis existed before this call.',
  }),
  candidates: shapes
    .boundedCount(maxCandidates)
    .meta({ description: 'Number of candidate terms found.', examples: [120] }),
  left_out: shapes.boundedCount(maxCandidates).meta({
    description: `Number of candidates without scores: time ran out, the store refused, or they exceed the ${shapes.maxNicheTerms} terms that an analysis scores.`,
    examples: [7],
  }),
  unanswered: shapes.boundedCount(maxUnanswered).meta({
    description:
      'Number of unanswered store requests among those that look for candidates: completions of the topic, alone and with each letter, and its result page.',
    examples: [0],
  }),
  warnings,
});

type Deps = {
  niche: Pick<Clients['niche'], 'analyzeNiche'>;
  countUse: CountUse;
};

export const analyzeNiche = defineRoute({
  method: 'get',
  path: '/api/v1/niches',
  operationId: 'analyzeNiche',
  tag: 'Discovery',
  summary: 'Analyze a niche',
  description:
    'Clusters the search terms around a topic and scores the opportunity of each cluster. A new analysis can take a few minutes: allow 300 seconds. It is cached for all accounts for 7 days, or for one hour when the store failed to answer part of it, or seemed to have no suggestions for a term; when formulas change, it is computed again. Once it runs, it finishes even if the caller disconnects; concurrent callers share it. Per store, one analysis of an account runs and two wait; a further one is 503 and costs nothing. An analysis that waits is dropped when its callers disconnect, and costs no niche analysis. Only an analysis that ran for this call counts towards niche_analyses.',
  cost: 1,
  services: ['niche'],
  deadlineMs: longestAnalysisMs,
  // Only the reply says whether the reserved use is refunded. Once the analysis runs, it is awaited even if the caller
  // disconnects.
  outlivesCaller: true,
  query: inStorefront(z.object({ topic: topicField, ...storefrontFields })),
  sample: { query: { topic: 'habit tracker', store: 'ITUNES', country: 'US', lang: 'en-US' } },
  data: nicheAnalysis,
  meta,
  errors: {
    PLAN_LIMIT: toCapReachedExample('niche_analyses'),
    ANALYSIS_FAILED:
      'The analysis of "habit tracker" could not complete: no search term could be read from the App Store in time. The scores read so far are stored: a retry takes less time.',
  },
  async handler(deps: Deps, { account, query, call }) {
    const { topic, ...storefront } = query;
    const request = { account_id: account.id, storefront, topic };

    /** Null when nothing is cached or under way and the call may not begin an analysis. */
    async function analyze(mayBegin: boolean) {
      const reply = await deps.niche.analyzeNiche({ ...request, may_begin: mayBegin }, call);
      const isFresh = reply.origin === NicheOrigin.FRESH;
      return reply.origin === NicheOrigin.NOT_BEGUN ? null : { isFresh, answer: toAnswer(reply) };
    }

    const result = await deps.countUse('niche_analyses', () => analyze(true), {
      isUse: (analyzed) => analyzed?.isFresh === true,
      atCap: () => analyze(false),
    });
    if (result === null) throw new Error('niche has not begun an analysis that it may begin');
    return result.answer;
  },
});

/** @throws when the reply is incomplete or contains an unknown value */
function toAnswer(reply: AnalyzeNicheReply) {
  const { analysis, origin } = reply;
  if (analysis === null) throw new Error('the reply of niche has no analysis');
  return {
    data: toData(analysis),
    meta: {
      cached: origin === NicheOrigin.CACHED,
      candidates: analysis.candidates,
      left_out: analysis.left_out,
      unanswered: analysis.unanswered,
      ...toWarnings(analysis, reply.is_saved),
    },
  };
}

/** A kept analysis: its data, and what belongs to its meta. @throws as the answer of the endpoint */
export function toAnalysis(analysis: NicheAnalysis) {
  const { warnings: found = [] } = toWarnings(analysis, true);
  return { data: toData(analysis), leftOut: analysis.left_out, warnings: found };
}

function toData(analysis: NicheAnalysis): z.output<typeof nicheAnalysis> {
  return {
    topic: analysis.topic,
    ...toStorefront(analysis.storefront),
    totalKeywords: analysis.total_keywords,
    analyzedAt: toTimestamp(analysis.analyzed_at),
    clusters: analysis.clusters.map(toCluster),
  };
}

/** @throws for an unknown reason */
function toWarnings(
  { no_clusters_reason: reason, is_topic_page_unread: isTopicPageUnread }: NicheAnalysis,
  isSaved: boolean,
): { warnings?: z.output<typeof warnings> } {
  const found = [
    ...(isSaved ? [] : ['history_save_failed']),
    ...(isTopicPageUnread ? ['topic_page_unread'] : []),
    ...(reason == null ? [] : [reason]),
  ];
  return found.length === 0 ? {} : { warnings: warnings.parse(found) };
}

function toCluster(message: NicheCluster): z.output<typeof cluster> {
  return {
    name: message.name,
    appConcept: message.app_concept,
    intentType: intentType.parse(message.intent_type),
    opportunityScore: message.opportunity_score,
    keywords: message.keywords.map((keyword) => ({
      name: keyword.name,
      trafficScore: keyword.traffic_score,
      difficultyScore: keyword.difficulty_score,
      scoredAt: shownDay(keyword.scored_at),
    })),
  };
}
