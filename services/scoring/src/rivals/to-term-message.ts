import type { KeptPages, KeptTerm } from '@shelfwise/proto/scoring/v1/scoring';
import type { SeenTerms } from './find-seen-terms.ts';
import type { SeenTerm } from './seen-term.ts';

export function toKeptTerm({ keyword, keyword_id: keywordId, page, score, kei }: SeenTerm): KeptTerm {
  return {
    keyword,
    keyword_id: keywordId,
    is_tracked: keywordId !== null,
    traffic_score: score.traffic,
    is_partial: score.is_partial,
    difficulty_score: score.difficulty,
    kei,
    rank_date: page.day,
    depth: page.app_ids.length,
  };
}

/** @param tooShallow pages that are not read deep enough */
export function toKeptPages({ terms, unread, isTruncated }: SeenTerms, tooShallow = 0): KeptPages {
  const oldest = terms.reduce<string | null>(
    (day, { page }) => (day === null || page.day < day ? page.day : day),
    null,
  );
  return { pages: terms.length, oldest_page: oldest, unread: unread + tooShallow, truncated: isTruncated };
}
