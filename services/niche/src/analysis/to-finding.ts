import { normalizeKeyword } from '@shelfwise/facts/keyword';
import type { NicheCluster } from '@shelfwise/proto/niche/v1/niche';
import type { ScoredTerm } from '@shelfwise/proto/scoring/v1/scoring';
import { findNiches } from '../domain/find-niches.ts';
import type { Niche, NicheFinding } from '../stores/analysis-store.ts';
import type { Gathered } from './gather-candidates.ts';
import { toNicheTerms } from './to-niche-terms.ts';

/** The clusters of what is searched among scored terms, by normal form. */
export function toFinding(
  { storefront, topic }: Niche,
  { suggestions, apps }: Pick<Gathered, 'suggestions' | 'apps'>,
  scored: ReadonlyMap<string, ScoredTerm>,
  now: Date,
): Pick<NicheFinding, 'clusters' | 'total_keywords' | 'oldest_read_at' | 'scoring_version'> {
  const terms = toNicheTerms(topic, scored);
  const { store, lang } = storefront;
  // A page that could not be read now is known, perhaps, from the scores of the topic.
  const topicApps = apps.length > 0 ? apps : (scored.get(topic)?.top ?? []);
  const around = {
    topic,
    suggested: new Set(suggestions.flat().map(normalizeKeyword)),
    topicApps: topicApps.map(({ app_id: appId }) => appId),
  };
  const clusters: NicheCluster[] = findNiches(terms, { store, lang, now }, around);
  const members = clusters.flatMap(({ keywords }) => keywords);
  const readAt = members.flatMap(({ name }) => scored.get(name)?.read_at?.getTime() ?? []);
  const versions = [...scored.values()].map(({ scoring_version: scoringVersion }) => scoringVersion);
  return {
    clusters,
    total_keywords: members.length,
    oldest_read_at: readAt.length === 0 ? null : new Date(least(readAt)),
    scoring_version: Math.max(0, ...versions),
  };
}

function least(values: readonly number[]): number {
  return values.reduce((smallest, value) => Math.min(smallest, value));
}
