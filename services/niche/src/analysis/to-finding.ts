import type { NicheCluster } from '@shelfwise/proto/niche/v1/niche';
import type { ScoredTerm, TermApp } from '@shelfwise/proto/scoring/v1/scoring';
import { findNiches } from '../domain/find-niches.ts';
import type { NicheApp, NicheTerm } from '../domain/niche-term.ts';
import type { Niche, NicheFinding } from '../stores/analysis-store.ts';

/** The clusters of what is searched among scored terms, by normal form. */
export function toFinding(
  { storefront, topic }: Niche,
  scored: ReadonlyMap<string, ScoredTerm>,
  now: Date,
): Pick<NicheFinding, 'clusters' | 'total_keywords' | 'oldest_read_at' | 'scoring_version'> {
  const terms = [...scored].flatMap(([keyword, term]) =>
    term.standing === 'searched' || keyword === topic ? toNicheTerm(keyword, term) : [],
  );
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

/** None while one of its scores is not known. */
function toNicheTerm(keyword: string, term: ScoredTerm): NicheTerm[] {
  const { traffic, difficulty, is_navigational, top } = term;
  if (traffic == null || difficulty == null) return [];
  return [{ keyword, traffic, difficulty, isNavigational: is_navigational, top: top.map(toNicheApp) }];
}

function toNicheApp({ app_id, title, developer_name, genre_key, ratings, updated_at }: TermApp): NicheApp {
  return {
    ...{ app_id, title, developer_name, updated_at },
    genre_key: genre_key ?? null,
    ratings: ratings ?? null,
  };
}

function least(values: readonly number[]): number {
  return values.reduce((smallest, value) => Math.min(smallest, value));
}
