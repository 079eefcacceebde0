import { rankKinds } from '@shelfwise/facts/alerts/alert-kinds';
import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { SnapshotTaken } from '@shelfwise/proto/tracking/v1/events';
import { utcDay } from '@shelfwise/runtime/day';
import { groupBy } from '@shelfwise/runtime/group-by';
import type { Alert, AlertApp } from '../domain/alert.ts';
import { findRankAlerts } from '../domain/find-rank-alerts.ts';
import { comparePages, type PageChange } from '../domain/keyword-page.ts';
import type { PublishAlerts } from '../publish-alerts.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { PageStore } from '../stores/page-store.ts';
import type { RuleStore } from '../stores/rule-store.ts';
import type { ActiveKeyword, TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';

type Deps = {
  pages: Pick<PageStore, 'find' | 'saveNewest' | 'saveReadDays'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'listTrackers'>;
  competitors: Pick<CompetitorStore, 'findOfApps'>;
  listings: Pick<ListingStore, 'findApps'>;
  rules: Pick<RuleStore, 'findEnabled'>;
  publishAlerts: PublishAlerts;
  sourceGuard: SourceGuard;
};

/**
 * The day's result pages of tracked keywords. Each is compared with the last whole page of its keyword; the accounts that tracked
 * the keyword on both days are notified of what their rules find. The page is kept afterwards, so that after a crash the event finds the
 * same alerts again, which are published once.
 *
 * Cost without rules: a query each for pages, trackers and rules, and a write, however many pages there are; with rules one more
 * each for titles and competitors.
 */
export function createOnSnapshotsTaken(deps: Deps) {
  const { pages, trackedKeywords, publishAlerts, sourceGuard } = deps;
  return async (taken: readonly SnapshotTaken[]): Promise<void> => {
    for (const source of new Set(taken.map((page) => page.source))) await sourceGuard.admit(source);
    const kept = await pages.find(taken.map((page) => page.keyword_id));
    const { fresh, changes } = comparePages(kept, taken);
    if (changes.size > 0)
      for await (const rows of trackedKeywords.listTrackers([...changes.keys()]))
        await publishAlerts(await findAlerts(deps, changes, rows));
    if (fresh.length > 0) await pages.saveNewest(fresh);
    const freshIds = new Set(fresh.map((page) => page.keyword_id));
    const others = taken.filter((page) => !freshIds.has(page.keyword_id));
    if (others.length > 0) await pages.saveReadDays(others);
  };
}

async function findAlerts(
  { rules, listings, competitors }: Deps,
  changes: ReadonlyMap<number, PageChange>,
  rows: readonly ActiveKeyword[],
): Promise<Alert[]> {
  // Only changes since the account tracks the keyword count.
  const trackers = rows.flatMap((row) => {
    const change = changes.get(row.keyword_id);
    return change && change.before.day >= utcDay(row.at) ? [{ row, change }] : [];
  });
  const accountIds = [...new Set(trackers.map(({ row }) => row.account_id))];
  const byAccount = await rules.findEnabled(accountIds, rankKinds);
  const withRules = trackers.filter(({ row }) => byAccount.has(row.account_id));
  if (withRules.length === 0) return [];

  const overtakable = withRules.filter(({ row }) =>
    byAccount.get(row.account_id)?.some(({ kind }) => kind === 'overtaken'),
  );
  const competing =
    overtakable.length === 0
      ? []
      : await competitors.findOfApps(
          [...new Set(overtakable.map(({ row }) => row.account_id))],
          [...new Set(overtakable.map(({ row }) => row.listing_id))],
        );
  const apps = await listings.findApps([
    ...withRules.map(({ row }) => row.listing_id),
    ...competing.map((one) => one.competitor_id),
  ]);
  const rivals = groupBy(competing, (one) => `${one.account_id}:${one.listing_id}`);
  return withRules.flatMap(({ row, change }) => {
    const app = apps.get(row.listing_id);
    if (!app) return [];
    const ofApp = rivals.get(`${row.account_id}:${row.listing_id}`) ?? [];
    const tracker = {
      account_id: row.account_id,
      keyword_id: row.keyword_id,
      is_favorite: row.is_favorite ?? false,
      app,
      rivals: ofApp.flatMap((one): AlertApp[] => {
        const rival = apps.get(one.competitor_id);
        return rival ? [rival] : [];
      }),
    };
    return findRankAlerts(change, tracker, byAccount.get(row.account_id) ?? []);
  });
}
