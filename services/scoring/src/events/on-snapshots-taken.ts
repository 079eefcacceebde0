import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Store } from '@shelfwise/facts/stores/store';
import type { SnapshotTaken } from '@shelfwise/proto/tracking/v1/events';
import { utcDay } from '@shelfwise/runtime/day';
import { type PageOfTerm, toRanking } from '../stores/term.ts';
import { termId } from '../stores/term-filters.ts';
import type { TermStore } from '../stores/term-store.ts';
import { isDisproved } from '../terms/doubted-page.ts';

type Deps = {
  terms: Pick<TermStore, 'findMeasuredPages' | 'saveSnapshots'>;
  /** Saves the ranks of listings for any day, past days included. */
  savePageRanks: (pages: readonly PageOfTerm[]) => Promise<void>;
  now: () => Date;
  /** Makes the worker measure the due tracked keywords of a store now. */
  wakeTracked: (store: Store) => void;
};

/**
 * The day's result pages of tracked keywords: their rankings are saved, and the keywords are measured again while
 * store-fetch still has the pages cached. For a past day only the ranks are saved, and the store is not read. A snapshot
 * with results replaces an empty one of its day, in whatever order they come.
 */
export function createOnSnapshotsTaken({ terms, savePageRanks, now, wakeTracked }: Deps) {
  return async (taken: readonly SnapshotTaken[]): Promise<void> => {
    const pages = taken.map(toPage);
    const at = now();
    const measuredPages = await terms.findMeasuredPages(pages.map(idOf));
    const snapshots = pages.map((page) => {
      const { day } = page.ranking;
      const measured = measuredPages.get(idOf(page));
      const isNews = measured === undefined || measured.day < day || isDisproved(measured, page.ranking);
      return { ...page, isDue: measured === undefined || (isNews && day >= utcDay(at)) };
    });
    await terms.saveSnapshots(snapshots, at);
    const due = snapshots.filter(({ isDue }) => isDue);
    for (const store of new Set(due.map(({ storefront }) => storefront.store))) wakeTracked(store);
    await savePageRanks(pages);
  };
}

function toPage(taken: SnapshotTaken): PageOfTerm {
  const { keyword, storefront, day, source, taken_at: readAt, app_ids: appIds } = taken;
  if (!readAt) throw new Error('the event does not say when the snapshot was taken');
  const ranking = toRanking({ day, read_at: readAt, source }, appIds, taken.revision);
  if (taken.is_suspect) ranking.is_suspect = true;
  return { storefront: checkStorefront(storefront), keyword, ranking };
}

function idOf({ storefront, keyword }: PageOfTerm): string {
  return termId(storefront, keyword);
}
