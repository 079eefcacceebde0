import type { Store } from '@shelfwise/facts/store';

/** Where and when terms were looked up. */
export type Market = {
  store: Store;
  /** BCP 47 */
  lang: string;
  now: Date;
};
