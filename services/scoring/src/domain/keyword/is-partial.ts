import type { KeywordScore, TrafficParts } from './keyword-score.ts';

/** The stored part of a score that says whether its traffic is partial. */
export type TrafficScore = Pick<KeywordScore, 'traffic' | 'is_partial'> & {
  traffic_parts?: Pick<TrafficParts, 'suggest'> | null;
};

/** Whether there is a traffic score that was computed before the store's suggestions were known. */
export function isPartial({ traffic, is_partial: isStored, traffic_parts: parts }: TrafficScore): boolean {
  // Scores of versions before 4 do not say so themselves.
  return traffic !== null && (isStored ?? parts?.suggest == null);
}
