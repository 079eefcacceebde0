import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Term } from '../stores/term.ts';

/** How new the result page must be, and whether a user waits for the measuring. */
export type MeasureNeed = {
  /** `today`: the result page of this UTC day; `week`: one of the last 7 days. */
  page: 'today' | 'week';
  /** Its store calls are granted before those of the daily run. */
  isUserWaiting: boolean;
};

export type Measured = {
  term: Term;
  /** Nothing was known of it before. */
  isFirst: boolean;
  /** Something that is too old was to be read again and could not: the moment of the oldest such reading. */
  staleSince: Date | null;
};

/**
 * Reads from the store what is missing of a keyword, or too old, scores it and stores it. What is new enough is not read
 * again and costs no call. Several callers that need one term at the same time share one measuring.
 */
export type Measurer = {
  /** @throws STORE_FETCH_FAILED when its result page cannot be read and no stored one is new enough; SERVICE_UNAVAILABLE */
  measure(storefront: Storefront, keyword: string, need: MeasureNeed, call: CallOptions): Promise<Measured>;
};
