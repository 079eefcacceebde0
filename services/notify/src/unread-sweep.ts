import type { Store } from '@shelfwise/facts/stores/store';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { startOfNextDay, utcDay } from '@shelfwise/runtime/day';
import { retryUntilDone } from '@shelfwise/runtime/jobs/retry-until-done';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { noEvidence } from './domain/alert.ts';
import { findUnread, type ReadKeyword, type StoreDays, type Unread } from './domain/find-unread.ts';
import type { Rule } from './domain/rule.ts';
import type { PublishAlerts } from './publish-alerts.ts';
import type { ListingStore } from './stores/listing-store.ts';
import type { PageStore } from './stores/page-store.ts';
import type { RuleStore } from './stores/rule-store.ts';
import type { StoreStateStore } from './stores/store-state-store.ts';
import type { TrackedAppStore } from './stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from './stores/tracked-keyword-store.ts';

/** After midnight UTC: the events of the last readings of a day have arrived by then. */
const sweepAtMs = 3_600_000;

type Deps = {
  rules: Pick<RuleStore, 'listOfKind' | 'saveUnreadApps'>;
  trackedApps: Pick<TrackedAppStore, 'findStores'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'listOfAccount'>;
  pages: Pick<PageStore, 'findReadDays'>;
  listings: Pick<ListingStore, 'findApps'>;
  storeStates: Pick<StoreStateStore, 'list'>;
  publishAlerts: PublishAlerts;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
  sleep: Sleep;
};

/**
 * Looks at the start and once a day for keywords that were not read, for the rules of keyword_unread. An alert is published when
 * the first keyword of an application is unread, and again only after all were read. Several copies may look at the same time: it is
 * published once.
 *
 * Cost, each day: a query for each 100 rules; for each rule two queries for each 1,000 keywords of its account, and two more. Nothing
 * runs in between.
 */
export function createUnreadSweep(deps: Deps) {
  const { rules, logger, now, sleep } = deps;
  const stopping = new AbortController();
  let running = Promise.resolve();

  async function sweepDay(day: string): Promise<void> {
    const states = await deps.storeStates.list();
    const readableSince = new Map<Store, string | null>(
      states.map(({ _id: store, is_blocked, at }) => [store, is_blocked ? null : utcDay(at)]),
    );
    for await (const batch of rules.listOfKind('keyword_unread'))
      for (const { rule, unreadAppIds } of batch) {
        if (stopping.signal.aborted) return;
        const storeOf = await deps.trackedApps.findStores(rule.account_id);
        await sweepRule(rule, unreadAppIds, { day, storeOf, readableSince });
      }
  }

  async function sweepRule(rule: Rule, known: readonly number[], days: StoreDays): Promise<void> {
    const unread = findUnread(await readKeywords(rule.account_id), rule, days);
    // While a store is away nothing is known of its applications: those that were unread stay so.
    const isAway = (id: number) => {
      const store = days.storeOf.get(id);
      return store !== undefined && days.readableSince.get(store) === null;
    };
    const next = [...new Set([...unread.keys(), ...known.filter(isAway)])].sort((a, b) => a - b);
    await publish(
      rule,
      days.day,
      [...unread].filter(([id]) => !known.includes(id)),
    );
    // Afterwards, so that after a crash the same is published again, which the feed has once.
    if (next.join() !== known.join()) await rules.saveUnreadApps(rule.id, next);
  }

  async function readKeywords(accountId: string): Promise<ReadKeyword[]> {
    const keywords: ReadKeyword[] = [];
    for await (const rows of deps.trackedKeywords.listOfAccount(accountId)) {
      const readDays = await deps.pages.findReadDays(rows.map((row) => row.keyword_id));
      for (const { keyword_id, listing_id, is_favorite = false, at } of rows)
        keywords.push({
          keyword_id,
          listing_id,
          is_favorite,
          at,
          read_day: readDays.get(keyword_id) ?? null,
        });
    }
    return keywords;
  }

  async function publish(rule: Rule, day: string, fresh: readonly [number, Unread][]): Promise<void> {
    if (fresh.length === 0) return;
    const apps = await deps.listings.findApps(fresh.map(([id]) => id));
    const { id: ruleId, account_id, kind, threshold } = rule;
    await deps.publishAlerts(
      fresh.flatMap(([id, { count, since }]) => {
        const app = apps.get(id);
        const found = { account_id, rule_id: ruleId, kind, threshold, day_before: since, day_after: day };
        return app ? [{ ...noEvidence, ...found, app, unread_keywords: count }] : [];
      }),
    );
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Until the time of a day, the one before is looked at.
      const moment = new Date(now().getTime() - sweepAtMs);
      await retryUntilDone(() => sweepDay(utcDay(moment)), {
        signal,
        sleep,
        onFailure: (err) => logger.warn({ err }, 'unread keywords could not be looked for; retrying'),
      });
      const dueMs = startOfNextDay(moment).getTime() + sweepAtMs;
      await sleep(Math.max(0, dueMs - now().getTime()), signal);
    }
  }

  return {
    start(): void {
      running = run(stopping.signal);
    },
    /** Resolves after the current rule. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
