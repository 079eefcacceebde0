import { type TermScore, unmeasured } from '../domain/audit/audit-input.ts';
import type { TermPage } from '../domain/audit/axes/term-page.ts';
import { keiOfScore } from '../domain/keyword/kei.ts';
import { type SeenPage, toSeenPage } from '../domain/rivals/seen-page.ts';
import type { PagedTerm } from '../stores/kept-page-store.ts';

/** A term whose newest page an account may see. */
export type SeenTerm = {
  keyword: string;
  /** null: the account does not track it */
  keyword_id: number | null;
  page: SeenPage;
  /** Its `page` is the same, with the genres of its first ten. */
  score: TermScore;
  /** 0 to 100, one decimal; null: a score is unknown */
  kei: number | null;
};

/** @param keywordId null: the account does not track it */
export function toSeenTerm(
  { keyword, score: stored, ranking }: PagedTerm,
  keywordId: number | null,
): SeenTerm {
  const page = toSeenPage(
    {
      day: ranking.day,
      app_ids: ranking.app_ids,
      // A page without all of its results was read here, and was scored.
      size: stored?.results ?? null,
    },
    { isTracked: keywordId !== null },
  );
  const score = stored ?? unmeasured;
  const seen: TermPage = { app_ids: page.app_ids, genres: stored?.genres ?? null };
  if (page.is_cut) seen.is_cut = true;
  return new TermWithKei(keyword, keywordId, page, { ...score, page: seen });
}

/** The KEI is computed when it is asked for: most terms are not in the answer. */
class TermWithKei implements SeenTerm {
  readonly keyword: string;
  readonly keyword_id: number | null;
  readonly page: SeenPage;
  readonly score: TermScore;
  private known: number | null | undefined;

  constructor(keyword: string, keywordId: number | null, page: SeenPage, score: TermScore) {
    this.keyword = keyword;
    this.keyword_id = keywordId;
    this.page = page;
    this.score = score;
  }

  get kei(): number | null {
    if (this.known === undefined) this.known = keiOfScore(this.score)?.score ?? null;
    return this.known;
  }
}
