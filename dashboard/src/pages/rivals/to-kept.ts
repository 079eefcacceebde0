import { known } from '../../figure.ts';
import type { Kept } from './model.ts';

/** What the API says of a list of terms. */
export type KeptMeta = {
  pages: number;
  oldest_page: string | null;
  unread: number;
  truncated: boolean;
  has_more: boolean;
};

export function toKept({ pages, oldest_page: oldestDay, unread, truncated, has_more }: KeptMeta): Kept {
  return { pages: known(pages), oldestDay, unread: known(unread), isTruncated: truncated, hasMore: has_more };
}
