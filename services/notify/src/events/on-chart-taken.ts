import { chartKinds } from '@shelfwise/facts/alerts/alert-kinds';
import { checkCollection } from '@shelfwise/facts/checks/check-collection';
import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { type ChartKey, chartIdOf } from '@shelfwise/facts/stores/chart-key';
import { isStore } from '@shelfwise/facts/stores/store';
import type { ChartTaken } from '@shelfwise/proto/chart/v1/events';
import { utcDay } from '@shelfwise/runtime/day';
import type { Alert, AlertApp } from '../domain/alert.ts';
import { type ChartPage, nextChart } from '../domain/chart-page.ts';
import { type ChartChange, findChartAlerts } from '../domain/find-chart-alerts.ts';
import { rankOn } from '../domain/keyword-page.ts';
import type { PublishAlerts } from '../publish-alerts.ts';
import type { ChartPageStore } from '../stores/chart-page-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { RuleStore } from '../stores/rule-store.ts';
import type { ActiveApp, TrackedAppStore } from '../stores/tracked-app-store.ts';

type Deps = {
  chartPages: Pick<ChartPageStore, 'find' | 'saveNewest'>;
  listings: Pick<ListingStore, 'listOfChart'>;
  trackedApps: Pick<TrackedAppStore, 'listTrackersOf'>;
  rules: Pick<RuleStore, 'findEnabled'>;
  publishAlerts: PublishAlerts;
  sourceGuard: SourceGuard;
};

/** Of one query. */
const appsPerQuery = 200;

/**
 * A chart was read, the first time of the day. It is compared with its last whole reading; the accounts that tracked an app of it on
 * both days are notified of what their rules find. The reading is kept afterwards, so that after a crash the event finds the same alerts
 * again, which are published once.
 *
 * Cost without rules: a query for the kept reading, one for each 500 known apps of the category, two for each 200 of them that
 * moved, and a write.
 */
export function createOnChartTaken(deps: Deps) {
  const { chartPages, listings, trackedApps, sourceGuard } = deps;
  return async (taken: ChartTaken): Promise<void> => {
    await sourceGuard.admit(taken.source);
    const chart = readChart(taken);
    const page = { chart_id: chartIdOf(chart), day: taken.day, app_ids: taken.app_ids };
    const { before, isKept } = nextChart(await chartPages.find(page.chart_id), page);
    if (before)
      for await (const apps of listings.listOfChart(page.chart_id)) {
        const moved = apps.filter((app) => hasMoved(app, before, page));
        for (let start = 0; start < moved.length; start += appsPerQuery) {
          const byId = new Map(moved.slice(start, start + appsPerQuery).map((app) => [app.id, app]));
          for await (const rows of trackedApps.listTrackersOf([...byId.keys()]))
            await deps.publishAlerts(await findAlerts(deps, { chart, before, after: page }, rows, byId));
        }
      }
    if (isKept) await chartPages.saveNewest(page);
  };
}

/** Most apps of a category are on neither day in its chart. */
function hasMoved({ app_id: appId }: AlertApp, before: ChartPage, after: ChartPage): boolean {
  return rankOn(before, appId) !== rankOn(after, appId);
}

async function findAlerts(
  { rules }: Deps,
  change: ChartChange,
  rows: readonly ActiveApp[],
  apps: ReadonlyMap<number, AlertApp>,
): Promise<Alert[]> {
  // Only changes since the account tracks the application count.
  const since = rows.filter((row) => utcDay(row.at) <= change.before.day);
  const accountIds = [...new Set(since.map((row) => row.account_id))];
  const byAccount = await rules.findEnabled(accountIds, chartKinds);
  return since.flatMap(({ account_id, listing_id }) => {
    const app = apps.get(listing_id);
    // Nor is the first reading for a rule an alarm about a change of before it.
    const asked = byAccount.get(account_id)?.filter((rule) => utcDay(rule.enabled_at) <= change.before.day);
    return app ? findChartAlerts(change, { account_id, app }, asked ?? []) : [];
  });
}

function readChart({ store, country, category, collection }: ChartTaken): ChartKey {
  if (!isStore(store)) throw new Error('the event does not name the store of the chart');
  return { store, country, category, collection: checkCollection(collection) };
}
