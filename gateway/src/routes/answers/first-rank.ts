import type { TrackKeywordResult } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import { isStale, rankAge, resultCount } from '../shapes/ages.ts';
import * as shapes from '../shapes/shapes.ts';

const keyword = z.string().meta({
  description:
    'The keyword as it is tracked, in its normal form: in the lower case of the language, with single spaces, Unicode NFKC.',
  examples: ['habit tracker'],
});

/** A keyword that is tracked now, with its first rank. */
export const firstRank = z.object({
  keyword,
  success: z.string().meta({
    description: 'The first rank, as a sentence.',
    examples: ['Habitember ranks 2nd of 51 results for “habit tracker”.'],
  }),
  keyword_id: shapes.keywordId,
  rank: shapes.rank,
  depth: resultCount,
  ...rankAge,
});

/** A keyword that is not. */
export const untrackable = z.object({
  keyword,
  error: z.string().meta({
    description: 'Why the keyword is not tracked.',
    examples: ['This keyword is already tracked for this application.'],
  }),
});

export function toFirstRank(
  { keyword, outcome, first_rank: first }: TrackKeywordResult,
  now: Date,
): z.output<typeof firstRank> | z.output<typeof untrackable> {
  if (outcome?.$case === 'error') return { keyword, error: outcome.value };
  if (outcome === null) throw new Error('the reply of tracking has no outcome');
  if (first === null) throw new Error('the reply of tracking has no first rank');
  const { value: success } = outcome;
  return { keyword, success, ...first, rank: first.rank ?? null, stale: isStale(first.rank_date, now) };
}
