import { type TermScore, unmeasured } from '../domain/audit/audit-input.ts';
import type { TermPage } from '../domain/audit/axes/term-page.ts';
import type { EmptyLook, PageApp, ResultPage } from '../domain/keyword/keyword-reading.ts';
import type { Term } from './term.ts';

export type PagelessScore = Omit<TermScore, 'page'>;

/** The stored fields of a `PagelessScore`. */
export const scoreFields: Record<string, 1> = {
  has_unproven_page: 1,
  'score.traffic': 1,
  'score.is_partial': 1,
  'score.difficulty': 1,
  'score.search_status': 1,
  'score.brand': 1,
  'score.suspected_brand': 1,
  'score.results': 1,
  'score.scored_at': 1,
};

/** The stored fields that `toTermScore` reads. */
export const termScoreFields: Record<string, 1> = {
  ...scoreFields,
  'score.genres': 1,
  'ranking.app_ids': 1,
  'ranking.day': 1,
  'reading.page.day': 1,
  'reading.page.size': 1,
};

/**
 * Null while the term has no score and its page is not unproven either. The page is the newest known one. It may be minutes
 * newer than the scored one: a snapshot of today is stored before the term is measured.
 */
export function toTermScore({
  score,
  ranking,
  reading,
  has_unproven_page: isUnproven = false,
}: Pick<Term, 'score' | 'ranking' | 'reading' | 'has_unproven_page'>): TermScore | null {
  if (!score) return isUnproven ? { ...unmeasured, is_unproven: true } : null;
  const { genres, ...rest } = score;
  const page: TermPage | null = ranking ? { app_ids: ranking.app_ids, genres } : null;
  // A projection omits objects without a selected value.
  const read = reading?.page;
  if (page && ranking && read?.day === ranking.day && read.size > page.app_ids.length) page.is_cut = true;
  const termScore: TermScore = { ...rest, page };
  if (isUnproven) termScore.is_unproven = true;
  return termScore;
}

/** What a draft needs from a term. Leaves out the page that it was scored from, which is nearly all of the document. */
export type TermSummary = {
  score: TermScore;
  scoring_version: number;
  /** When its result page was read; null: not read. */
  read_at: Date | null;
  details_read_at: Date | null;
};

/** The stored fields that `toTermSummary` reads. */
export const termSummaryFields: Record<string, 1> = {
  ...termScoreFields,
  'score.scoring_version': 1,
  'reading.page.read_at': 1,
  'reading.page.details_read_at': 1,
};

/** Null while nothing is known of the term. */
export function toTermSummary(
  term: Pick<Term, 'score' | 'reading' | 'ranking' | 'has_unproven_page'>,
): TermSummary | null {
  const { score, reading } = term;
  const termScore = toTermScore(term);
  if (!termScore) return null;
  // A projection omits objects without a selected value.
  const page = reading?.page;
  return {
    score: termScore,
    scoring_version: score?.scoring_version ?? 0,
    read_at: page?.read_at ?? null,
    details_read_at: page?.details_read_at ?? null,
  };
}

/** What a result page shows of its first 20 apps. */
export type ShownPage = Pick<ResultPage, 'read_at'> & {
  apps: Pick<PageApp, 'app_id' | 'title' | 'icon'>[];
};

/** The stored fields of a `ShownPage`. */
export const shownPageFields: Record<string, 1> = {
  'reading.page.read_at': 1,
  'reading.page.apps.app_id': 1,
  'reading.page.apps.title': 1,
  'reading.page.apps.icon': 1,
};

/** A term that was scored with a result page: its scores and that page. */
export type TermWithPage = {
  score: PagelessScore & { scoring_version: number; scored_at: Date };
  reading: {
    page: ResultPage;
    /** Null: suggestions could not be read. */
    suggestion: { read_at: Date } | null;
    empty_looks: readonly EmptyLook[];
  };
};

/** The stored fields that `toTermWithPage` reads. */
export const termWithPageFields: Record<string, 1> = {
  ...scoreFields,
  'score.scoring_version': 1,
  'reading.page': 1,
  'reading.suggestion.read_at': 1,
  'reading.empty_looks': 1,
};

/** Null while the term has no score or no page. */
export function toTermWithPage({ score, reading }: Pick<Term, 'score' | 'reading'>): TermWithPage | null {
  // A projection omits objects without a selected value.
  const { page, suggestion = null, empty_looks = [] } = reading ?? {};
  return score && page ? { score, reading: { page, suggestion, empty_looks } } : null;
}
