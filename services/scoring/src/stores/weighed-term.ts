import type { TermScore } from '../domain/audit/audit-input.ts';
import type { StoredTerm } from './stored-term.ts';

/** What a draft needs of a term, without the page that it was scored from, which is nearly all of it. */
export type WeighedTerm = {
  score: TermScore;
  scoring_version: number;
  /** Of its result page. Null: not read. */
  read_at: Date | null;
  details_read_at: Date | null;
};

/** The fields of a stored term from which it is made. */
export const weighedFields: Record<string, 1> = {
  'score.traffic': 1,
  'score.difficulty': 1,
  'score.search_status': 1,
  'score.brand': 1,
  'score.scoring_version': 1,
  'reading.page.read_at': 1,
  'reading.page.details_read_at': 1,
};

/** Null as long as it has no score. */
export function toWeighedTerm({ score, reading }: Pick<StoredTerm, 'score' | 'reading'>): WeighedTerm | null {
  if (!score) return null;
  // A projection leaves out what holds nothing.
  const { read_at: readAt = null, details_read_at: detailsReadAt = null } = reading.page ?? {};
  return { score, scoring_version: score.scoring_version, read_at: readAt, details_read_at: detailsReadAt };
}
