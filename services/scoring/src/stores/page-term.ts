import type { TermScore } from '../domain/audit/audit-input.ts';
import type { ResultPage } from '../domain/keyword/keyword-reading.ts';
import type { StoredTerm } from './stored-term.ts';

/** A term that was scored with a result page: its scores and that page, without ranks, parts and looks. */
export type PageTerm = {
  score: TermScore & { scoring_version: number };
  reading: {
    page: ResultPage;
    /** Null: the store could not be asked what it suggests. */
    suggestion: { read_at: Date } | null;
  };
};

/** The fields of a stored term from which it is made. */
export const pageTermFields: Record<string, 1> = {
  'score.traffic': 1,
  'score.difficulty': 1,
  'score.search_status': 1,
  'score.brand': 1,
  'score.scoring_version': 1,
  'reading.page': 1,
  'reading.suggestion.read_at': 1,
};

/** Null as long as it has no score or no page. */
export function toPageTerm({ score, reading }: Pick<StoredTerm, 'score' | 'reading'>): PageTerm | null {
  // A projection leaves out what holds nothing.
  const { page, suggestion } = reading ?? {};
  return score && page ? { score, reading: { page, suggestion: suggestion ?? null } } : null;
}
