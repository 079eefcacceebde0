import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Term } from '../stores/term.ts';

/** How new the result page must be, and whether a user waits for the measurement. */
export type MeasureNeed = {
  /** `today`: the result page of this UTC day; `week`: one of the last 7 days. */
  page: 'today' | 'week';
  /** The store calls of a waiting user are granted before those of the daily run. */
  isUserWaiting: boolean;
};

export type Measured = {
  term: Term;
  /** Nothing was known about the term before. */
  isFirst: boolean;
  /** The time of the oldest reading that is too old and could not be replaced; null when there is none. */
  staleSince: Date | null;
  /** False: the term may have been requested during the measurement, so that a claim on it has not ended. */
  isScheduled: boolean;
};

/**
 * Reads from the store what is missing or too old for a keyword, scores the keyword and stores it. Data that is new
 * enough is not read again and costs no call. Calls of one caller that need one term at the same time share one
 * measurement.
 */
export type Measurer = {
  /**
   * @throws STORE_FETCH_FAILED when the result page cannot be read and no stored page may be used instead
   * @throws SERVICE_UNAVAILABLE
   */
  measure(storefront: Storefront, keyword: string, need: MeasureNeed, call: CallOptions): Promise<Measured>;
};
