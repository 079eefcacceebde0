import { chartKinds } from '@shelfwise/facts/alerts/alert-kinds';
import { collectionMessages } from '@shelfwise/facts/checks/check-collection';
import { chartKeyOf } from '@shelfwise/facts/stores/chart-key';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import type { EventBus, EventRecord } from '@shelfwise/runtime/events/event-bus';
import { newEvent, toRecord } from '@shelfwise/runtime/events/outbox';
import { retryUntilDone } from '@shelfwise/runtime/jobs/retry-until-done';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { isAboutApp, type Rule } from './domain/rule.ts';
import type { ListingStore } from './stores/listing-store.ts';
import type { RuleStore } from './stores/rule-store.ts';
import type { TrackedAppStore } from './stores/tracked-app-store.ts';

/** The longest wait for the chart of an application that was added, or changed its category, after its rule. */
const everyMs = 6 * 3_600_000;

type Deps = {
  rules: Pick<RuleStore, 'listOfKind'>;
  trackedApps: Pick<TrackedAppStore, 'findStores'>;
  listings: Pick<ListingStore, 'findCharts'>;
  bus: Pick<EventBus, 'publish'>;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
  sleep: Sleep;
};

/**
 * Asks for the charts that rules look at, so that each is read once a day: at the start, when a rule is made or changed in this
 * process, and every 6 hours. Chart reads a chart for 30 days after it was asked for, so that no event of this kind must arrive, and
 * a rule that is deleted needs none: they have no outbox.
 *
 * Cost: for each kind a query for each 100 rules, and for each rule at most two; an event for each chart.
 */
export function createWantCharts({ rules, trackedApps, listings, bus, logger, now, sleep }: Deps) {
  const stopping = new AbortController();
  let waiting = new AbortController();
  let isWoken = false;
  let running = Promise.resolve();

  async function askAll(): Promise<void> {
    const asked = new Set<string>();
    for (const kind of chartKinds)
      for await (const batch of rules.listOfKind(kind))
        for (const { rule } of batch) {
          if (stopping.signal.aborted) return;
          const fresh = [...(await chartsOf(rule))].filter((id) => !asked.has(id));
          for (const id of fresh) asked.add(id);
          if (fresh.length > 0) await bus.publish(fresh.flatMap(toEvent));
        }
  }

  /** Of the applications that the account still tracks. */
  async function chartsOf(rule: Rule): Promise<Set<string>> {
    const tracked = await trackedApps.findStores(rule.account_id);
    return listings.findCharts([...tracked.keys()].filter((id) => isAboutApp(rule, id)));
  }

  function toEvent(chartId: string): EventRecord[] {
    const key = chartKeyOf(chartId);
    if (!key) return [];
    const message = { ...key, collection: collectionMessages[key.collection] };
    const context = { at: now(), requestId: 'want-charts' };
    const { id, stored } = newEvent('notify.chart-wanted.v1', chartId, message, context);
    return [toRecord(id, stored)];
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      isWoken = false;
      await retryUntilDone(askAll, {
        signal,
        sleep,
        onFailure: (err) => logger.warn({ err }, 'charts of rules could not be asked for; retrying'),
      });
      waiting = new AbortController();
      if (!isWoken) await sleep(everyMs, AbortSignal.any([signal, waiting.signal]));
    }
  }

  return {
    start(): void {
      running = run(stopping.signal);
    },
    /** A rule may look at another chart. */
    wake(): void {
      isWoken = true;
      waiting.abort();
    },
    /** Resolves after the current rule. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
