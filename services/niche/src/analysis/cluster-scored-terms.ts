import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { ScoredTerm } from '@shelfwise/proto/scoring/v1/scoring';
import { findNiches } from '../domain/find-niches.ts';
import type { TopicContext } from '../domain/is-on-topic.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import { whyNoNiches } from '../domain/why-no-niches.ts';
import type { AnalysisResult, Niche } from '../stores/analysis-store.ts';
import type { TopicResults } from './fetch-topic-results.ts';
import { toNicheTerms } from './to-niche-terms.ts';

type Clustered = Pick<
  AnalysisResult,
  'clusters' | 'total_keywords' | 'no_clusters_reason' | 'oldest_read_at' | 'has_outdated_scores'
>;

/**
 * Clusters the scored terms that people search for.
 * @param results the topic's result page
 * @param scored the keys are in normal form
 * @param leftOut the number of candidates that are not in `scored`
 */
export function clusterScoredTerms(
  { storefront, topic }: Niche,
  { suggestions, results }: Pick<TopicResults, 'suggestions'> & { results: TopicContext['results'] },
  scored: ReadonlyMap<string, ScoredTerm>,
  { leftOut, now }: { leftOut: number; now: Date },
): Clustered {
  const terms = toNicheTerms(scored);
  const { store, lang } = storefront;
  const suggested = new Set(suggestions.flat().map((suggestion) => normalizeKeyword(suggestion, lang)));
  const topicContext = { topic, suggested, results };
  const clusters = findNiches(terms, { store, lang, now }, topicContext).map((cluster) => ({
    ...cluster,
    keywords: cluster.keywords.map((keyword) => ({
      ...keyword,
      scored_at: scored.get(keyword.name)?.scored_at ?? null,
    })),
  }));
  const members = clusters.flatMap(({ keywords }) => keywords);
  const readAt = members.flatMap(({ name }) => scored.get(name)?.read_at?.getTime() ?? []);
  return {
    clusters,
    total_keywords: members.length,
    no_clusters_reason: clusters.length > 0 ? null : whyNoNiches(terms, topicContext, { lang, leftOut }),
    oldest_read_at: readAt.length === 0 ? null : new Date(minOf(readAt)),
    has_outdated_scores: [...scored.values()].some((term) => term.scoring_version < scoringVersion),
  };
}

function minOf(values: readonly number[]): number {
  return values.reduce((smallest, value) => Math.min(smallest, value));
}
