import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { ScoredTerm } from '@shelfwise/proto/scoring/v1/scoring';
import { findNiches } from '../domain/find-niches.ts';
import type { AnalysisResult, Niche } from '../stores/analysis-store.ts';
import type { TopicResults } from './fetch-topic-results.ts';
import { toNicheTerms } from './to-niche-terms.ts';

/** Clusters the scored terms that people search for. The keys of `scored` are in normal form. */
export function clusterScoredTerms(
  { storefront, topic }: Niche,
  { suggestions, apps }: Pick<TopicResults, 'suggestions' | 'apps'>,
  scored: ReadonlyMap<string, ScoredTerm>,
  now: Date,
): Pick<AnalysisResult, 'clusters' | 'total_keywords' | 'oldest_read_at' | 'scoring_version'> {
  const terms = toNicheTerms(topic, scored);
  const { store, lang } = storefront;
  // If the result page was not read, scoring may still know the topic's first apps.
  const topicApps = apps.length > 0 ? apps : (scored.get(topic)?.top ?? []);
  const topicContext = {
    topic,
    suggested: new Set(suggestions.flat().map(normalizeKeyword)),
    topicApps: topicApps.map((app) => app.app_id),
  };
  const clusters = findNiches(terms, { store, lang, now }, topicContext);
  const members = clusters.flatMap(({ keywords }) => keywords);
  const readAt = members.flatMap(({ name }) => scored.get(name)?.read_at?.getTime() ?? []);
  const versions = [...scored.values()].map((term) => term.scoring_version);
  return {
    clusters,
    total_keywords: members.length,
    oldest_read_at: readAt.length === 0 ? null : new Date(minOf(readAt)),
    scoring_version: Math.max(0, ...versions),
  };
}

function minOf(values: readonly number[]): number {
  return values.reduce((smallest, value) => Math.min(smallest, value));
}
