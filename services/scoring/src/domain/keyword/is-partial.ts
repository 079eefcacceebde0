import type { KeywordScore, TrafficParts } from './keyword-score.ts';

/** The stored part of a score that says whether its traffic is partial. */
export type TrafficScore = Pick<KeywordScore, 'traffic'> & {
  traffic_parts?: Pick<TrafficParts, 'suggest'> | null;
};

/** Whether there is a traffic score that was computed without the store's suggestions. */
export function isPartial({ traffic, traffic_parts: parts }: TrafficScore): boolean {
  return traffic !== null && parts?.suggest == null;
}
