import type { ScoredTerm, TermApp } from '@shelfwise/proto/scoring/v1/scoring';
import type { NicheApp, NicheTerm } from '../domain/niche-term.ts';

/**
 * The terms that people search for, and the topic itself; terms without both scores are left out. The keys of
 * `scored` are in normal form.
 */
export function toNicheTerms(topic: string, scored: ReadonlyMap<string, ScoredTerm>): NicheTerm[] {
  return [...scored].flatMap(([keyword, term]) =>
    term.search_status === 'searched' || keyword === topic ? toNicheTerm(keyword, term) : [],
  );
}

/** Empty when a score is unknown. */
function toNicheTerm(keyword: string, term: ScoredTerm): NicheTerm[] {
  const { traffic, difficulty, top } = term;
  if (traffic == null || difficulty == null) return [];
  return [{ keyword, traffic, difficulty, isNavigational: term.is_navigational, top: top.map(toNicheApp) }];
}

function toNicheApp(app: TermApp): NicheApp {
  return {
    app_id: app.app_id,
    title: app.title,
    updated_at: app.updated_at,
    genre_key: app.genre_key ?? null,
    ratings: app.ratings ?? null,
  };
}
