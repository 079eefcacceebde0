import { known, knownOr } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { NichesModel } from '@shelfwise/dashboard/pages/niches/model';
import type { z } from 'zod';
import { listApplications } from '../../routes/list-applications.ts';
import { listNiches } from '../../routes/list-niches.ts';
import { maxPageRows } from '../../routes/route/paged-list.ts';
import type { SessionAnswer } from '../call-as-session.ts';
import { findKeptNiche } from './kept-niche.ts';
import { dataOf, dataOr, type PageContext, toFrame } from './page-context.ts';

type Kept = z.output<typeof findKeptNiche.data>;
type Asked = NonNullable<NichesModel['asked']>;

/** Three calls at most: the apps, the past analyses (the last 200), and what is kept of the topic in the address. */
export async function buildNiches(context: PageContext, query: Record<string, unknown>): Promise<PageData> {
  const asked = toAsked(query);
  const [applications, niches, kept] = await Promise.all([
    context.call(listApplications),
    context.call(listNiches, { query: { per_page: String(maxPageRows) } }),
    asked && context.call(findKeptNiche, { query: asked }),
  ]);
  return {
    page: 'niches',
    frame: toFrame(context, dataOf(applications)),
    model: {
      past: dataOr(niches, []).map((row) => ({
        id: String(row.id),
        topic: row.topic,
        store: row.store,
        country: row.country,
        lang: row.lang,
        clusters: known(row.clusters_count),
        keywords: known(row.keywords_count),
        best:
          row.top_opportunity_score === null ? { state: 'not_applicable' } : known(row.top_opportunity_score),
        analyzedAt: row.scored_at,
      })),
      isPastKnown: !('failure' in niches),
      hasMore: 'meta' in niches && niches.meta.has_more,
      asked,
      ...(kept ? toState(kept) : nothing),
    },
  };
}

/** The topic in the address; null when it has none, or not all that belongs to it. */
function toAsked({ topic, store, country, lang }: Record<string, unknown>): Asked | null {
  if (typeof topic !== 'string' || typeof country !== 'string' || typeof lang !== 'string') return null;
  if (store !== 'ITUNES' && store !== 'GPLAY') return null;
  return { topic, store, country, lang };
}

type State = Pick<NichesModel, 'progress' | 'analysis' | 'problem'>;

const nothing: State = { progress: null, analysis: null, problem: null };

function toState(kept: SessionAnswer<Kept>): State {
  if ('failure' in kept) return { ...nothing, problem: kept.failure.message };
  const { progress, analysis } = kept.data;
  return {
    problem: null,
    progress: progress && {
      isRunning: progress.isRunning,
      phase: progress.phase,
      ahead: known(progress.ahead),
      candidates: knownOr(progress.candidates, 'not_read'),
      read: knownOr(progress.read, 'not_read'),
    },
    analysis: analysis && {
      analyzedAt: analysis.data.analyzedAt,
      keywords: known(analysis.data.totalKeywords),
      leftOut: known(analysis.leftOut),
      warnings: analysis.warnings,
      clusters: analysis.data.clusters.map((cluster) => ({
        name: cluster.name,
        concept: cluster.appConcept,
        intent: cluster.intentType,
        opportunity: known(cluster.opportunityScore),
        keywords: cluster.keywords.map(({ name, trafficScore, difficultyScore }) => ({
          name,
          traffic: known(trafficScore),
          difficulty: known(difficultyScore),
        })),
      })),
    },
  };
}
