import * as texts from '#texts';
import { numberOf } from '../../figure.ts';
import { Value } from '../../parts/value.tsx';
import { formatDay } from '../../text/format.ts';
import type { Kept } from './model.ts';

const words = texts.rivals;

/** What a list of terms was made from, and what it leaves out. */
export function KeptPages({ kept: { pages, oldestDay, unread, isTruncated, hasMore } }: { kept: Kept }) {
  return (
    <p class="muted" role="status">
      {words.pagesRead} <Value of={pages} />
      {oldestDay !== null && ` · ${words.oldest(formatDay(oldestDay))}`}
      {numberOf(unread) !== 0 && (
        <>
          {' '}
          · {words.unread} <Value of={unread} />
        </>
      )}{' '}
      {isTruncated && words.truncated} {hasMore && words.gapMore}
    </p>
  );
}
