import type { ScoredTerm, TermApp, TermOutcome } from '@shelfwise/proto/scoring/v1/scoring';
import { isUpstreamFailure } from '@shelfwise/runtime/errors';
import { keiOfScore } from '../domain/keyword/kei.ts';
import type { PageApp } from '../domain/keyword/keyword-reading.ts';
import type { TermWithPage } from '../stores/term-projections.ts';

const shownApps = 10;

export function scoredOutcome(
  keyword: string,
  { score, reading: { page, suggestion, empty_looks: looks } }: TermWithPage,
): TermOutcome {
  const { difficulty, traffic } = score;
  const value: ScoredTerm = {
    difficulty,
    traffic,
    kei: keiOfScore(score)?.score ?? null,
    search_status: score.search_status,
    is_navigational: score.brand !== null,
    scoring_version: score.scoring_version,
    scored_at: score.scored_at,
    read_at: page.read_at,
    source: page.source,
    suggestions_read_at: suggestion?.read_at ?? null,
    is_partial: score.is_partial,
    is_second_look_due: suggestion === null && looks.length > 0,
    top: page.apps.slice(0, shownApps).map(toTermApp),
  };
  return { keyword, outcome: { $case: 'scored', value } };
}

/**
 * The outcome of a term that could not be read.
 * @throws every error that is not a failure of the store or of store-fetch
 */
export function failedOutcome(keyword: string, error: unknown): TermOutcome {
  if (!isUpstreamFailure(error)) throw error;
  const { code, message } = error;
  return { keyword, outcome: { $case: 'failure', value: { code, message } } };
}

function toTermApp(app: PageApp): TermApp {
  const { title, ratings } = app;
  return { app_id: app.app_id, title, genre_key: app.genre_key, ratings, updated_at: app.updated_at };
}
