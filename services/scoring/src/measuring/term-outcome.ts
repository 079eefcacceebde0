import type { ScoredTerm, TermApp, TermOutcome } from '@shelfwise/proto/scoring/v1/scoring';
import { isUpstreamFailure } from '@shelfwise/runtime/errors';
import type { PageApp } from '../domain/keyword/keyword-reading.ts';
import type { PageTerm } from '../stores/page-term.ts';

const shownApps = 10;

/** What is told of a term whose scores are known. */
export function scoredOutcome(
  keyword: string,
  { score, reading: { page, suggestion } }: PageTerm,
): TermOutcome {
  const { difficulty, traffic, brand } = score;
  const value: ScoredTerm = {
    difficulty,
    traffic,
    search_status: score.search_status,
    is_navigational: brand !== null,
    scoring_version: score.scoring_version,
    read_at: page.read_at,
    source: page.source,
    suggestions_read_at: suggestion?.read_at ?? null,
    top: page.apps.slice(0, shownApps).map(toTermApp),
  };
  return { keyword, outcome: { $case: 'scored', value } };
}

/** What is told of a term that could not be read. @throws whatever is not the store's or store-fetch's own failure */
export function failedOutcome(keyword: string, error: unknown): TermOutcome {
  if (!isUpstreamFailure(error)) throw error;
  const { code, message } = error;
  return { keyword, outcome: { $case: 'failure', value: { code, message } } };
}

function toTermApp({
  app_id: appId,
  title,
  genre_key: genreKey,
  ratings,
  updated_at: updatedAt,
}: PageApp): TermApp {
  return { app_id: appId, title, genre_key: genreKey ?? null, ratings, updated_at: updatedAt };
}
