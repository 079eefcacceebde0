import type { ScoredTerm, TermApp } from '@shelfwise/proto/scoring/v1/scoring';
import type { NicheApp, NicheTerm } from '../domain/niche-term.ts';

/**
 * The terms with known scores, also those that people do not search for.
 * @param scored the keys are in normal form
 */
export function toNicheTerms(scored: ReadonlyMap<string, ScoredTerm>): NicheTerm[] {
  return [...scored].flatMap(([keyword, term]) => toNicheTerm(keyword, term));
}

/** Empty when a score is unknown. */
function toNicheTerm(keyword: string, term: ScoredTerm): NicheTerm[] {
  const { traffic, difficulty, kei, top } = term;
  if (traffic == null || difficulty == null || kei == null) return [];
  return [
    {
      keyword,
      traffic,
      difficulty,
      kei,
      isSearched: term.search_status === 'searched',
      isNavigational: term.is_navigational,
      top: top.map(toNicheApp),
    },
  ];
}

function toNicheApp(app: TermApp): NicheApp {
  return {
    app_id: app.app_id,
    // Only its words are used, and an unknown title has none.
    title: app.title ?? '',
    updated_at: app.updated_at,
    genre_key: app.genre_key ?? null,
    ratings: app.ratings ?? null,
  };
}
