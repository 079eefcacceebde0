import type { NicheCluster } from '@shelfwise/proto/niche/v1/niche';
import type { ScoredTerm } from '@shelfwise/proto/scoring/v1/scoring';
import { findNiches } from '../domain/find-niches.ts';
import type { Niche, NicheFinding } from '../stores/analysis-store.ts';
import { toNicheTerms } from './to-niche-terms.ts';

/** The clusters of what is searched among scored terms, by normal form. */
export function toFinding(
  { storefront, topic }: Niche,
  scored: ReadonlyMap<string, ScoredTerm>,
  now: Date,
): Pick<NicheFinding, 'clusters' | 'total_keywords' | 'oldest_read_at' | 'scoring_version'> {
  const terms = toNicheTerms(topic, scored);
  const { store, lang } = storefront;
  const clusters: NicheCluster[] = findNiches(terms, { store, lang, now });
  const members = clusters.flatMap(({ keywords }) => keywords);
  const readAt = members.flatMap(({ name }) => scored.get(name)?.read_at?.getTime() ?? []);
  const versions = [...scored.values()].map(({ scoring_version }) => scoring_version);
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
