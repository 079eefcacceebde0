import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { SnapshotTaken } from '@shelfwise/proto/tracking/v1/events';
import { utcDay } from '@shelfwise/runtime/day';
import type { Ranking } from '../stores/stored-term.ts';
import type { TermStore } from '../stores/term-store.ts';

/**
 * The day's result page of a tracked keyword: its ranking, and the moment at which it is measured anew; store-fetch has
 * the page still. A snapshot of a day that is past is kept as ranks of that day; the store is not read for it.
 */
export function createOnSnapshotTaken(parts: {
  terms: TermStore;
  /** Keeps the ranks of listings, of any day. */
  onRanks: (storefront: Storefront, keyword: string, ranking: Ranking) => Promise<void>;
  now: () => Date;
}) {
  const { terms, onRanks, now } = parts;
  return async (snapshot: SnapshotTaken): Promise<void> => {
    const { keyword, day, taken_at: takenAt, source } = snapshot;
    const storefront = checkStorefront(snapshot.storefront);
    if (!takenAt) throw new Error('the event does not say when the snapshot was taken');
    const ranking = { day, read_at: takenAt, source, app_ids: snapshot.app_ids };
    const at = now();
    const lastDay = (await terms.find(storefront, keyword))?.reading.page?.day ?? null;
    const isDue = lastDay === null || (lastDay < day && day >= utcDay(at));
    await terms.putSnapshot(storefront, keyword, ranking, { isDue, at });
    await onRanks(storefront, keyword, ranking);
  };
}
