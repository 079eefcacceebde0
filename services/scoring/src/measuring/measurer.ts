import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { StoredTerm } from '../stores/stored-term.ts';

/** How new what was read must be, and whether somebody waits for it. */
export type MeasureNeed = {
  /** `today`: the result page of this UTC day; `week`: one of the last 7 days. */
  page: 'today' | 'week';
  /** Store calls get their turn before those of the daily run. */
  isAwaited: boolean;
};

export type Measured = {
  term: StoredTerm;
  /** Nothing was known of it before. */
  isFirst: boolean;
  /** Something that is too old was to be read again and could not: the moment of the oldest such reading. */
  staleSince: Date | null;
};

/**
 * Reads from the store what is missing of a keyword, or too old, scores it and keeps it. What is new enough is not
 * read again: then it costs no call. Several that want one term at the same time share one measuring.
 */
export type Measurer = {
  /** @throws STORE_FETCH_FAILED when its result page cannot be read and none that is new enough is kept; SERVICE_UNAVAILABLE */
  measure(storefront: Storefront, keyword: string, need: MeasureNeed, call: CallOptions): Promise<Measured>;
};
