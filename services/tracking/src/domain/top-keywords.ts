import { compareTexts } from './compare-texts.ts';
import { lastTopRank } from './rank-distribution.ts';

/** A tracked keyword with its traffic, 0 to 100, and the rank of the app. Null: not known, and not ranked. */
type RankedKeyword = { keyword_id: number; keyword: string; traffic: number | null; rank: number | null };

type TopKeyword<Keyword> = Keyword & { traffic: number; rank: number };

/**
 * At most `count` keywords that bring an app most: those with the most traffic among the ones for which it ranks 10 or better, as in
 * the traffic share of the distribution. Equal ones by rank, then by keyword and id. Keywords without a known traffic are left out.
 */
export function chooseTopKeywords<Keyword extends RankedKeyword>(
  keywords: readonly Keyword[],
  count: number,
): TopKeyword<Keyword>[] {
  return keywords
    .filter(bringsMost)
    .sort(
      (one, other) =>
        other.traffic - one.traffic ||
        one.rank - other.rank ||
        compareTexts(one.keyword, other.keyword) ||
        one.keyword_id - other.keyword_id,
    )
    .slice(0, count);
}

function bringsMost<Keyword extends RankedKeyword>(keyword: Keyword): keyword is TopKeyword<Keyword> {
  return keyword.traffic !== null && keyword.rank !== null && keyword.rank <= lastTopRank;
}
