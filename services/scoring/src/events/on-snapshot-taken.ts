import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { SnapshotTaken } from '@shelfwise/proto/tracking/v1/events';
import { utcDay } from '@shelfwise/runtime/day';
import type { Ranking } from '../stores/term.ts';
import type { TermStore } from '../stores/term-store.ts';

type Deps = {
  terms: Pick<TermStore, 'find' | 'saveSnapshot'>;
  /** Saves the ranks of listings for any day, past days included. */
  savePageRanks: (storefront: Storefront, keyword: string, ranking: Ranking) => Promise<void>;
  now: () => Date;
};

/**
 * The day's result page of a tracked keyword: its ranking is saved, and the keyword is measured again while
 * store-fetch still has the page cached. For a past day only the ranks are saved, and the store is not read.
 */
export function createOnSnapshotTaken({ terms, savePageRanks, now }: Deps) {
  return async (snapshot: SnapshotTaken): Promise<void> => {
    const { keyword, day, source } = snapshot;
    const storefront = checkStorefront(snapshot.storefront);
    if (!snapshot.taken_at) throw new Error('the event does not say when the snapshot was taken');
    const ranking = { day, read_at: snapshot.taken_at, source, app_ids: snapshot.app_ids };
    const at = now();
    const lastDay = (await terms.find(storefront, keyword))?.reading.page?.day ?? null;
    const isDue = lastDay === null || (lastDay < day && day >= utcDay(at));
    await terms.saveSnapshot(storefront, keyword, ranking, { isDue, at });
    await savePageRanks(storefront, keyword, ranking);
  };
}
