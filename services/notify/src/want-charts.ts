import { chartKinds } from '@shelfwise/facts/alerts/alert-kinds';
import { collectionMessages } from '@shelfwise/facts/checks/check-collection';
import { chartKeyOf } from '@shelfwise/facts/stores/chart-key';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import type { EventBus, EventRecord } from '@shelfwise/runtime/events/event-bus';
import { newEvent, toRecord } from '@shelfwise/runtime/events/outbox';
import { retryUntilDone } from '@shelfwise/runtime/jobs/retry-until-done';
import { createWakeSignal } from '@shelfwise/runtime/jobs/wake-signal';
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
 * Asks for the charts that rules look at, so that each is read once a day: for all rules at the start and every 6 hours, and for
 * one when it is made or changed in this process, so that no account makes it look at the rules of others. Chart reads a chart for 30 days after it was asked for, so that no event of this kind must arrive, and
 * a rule that is deleted needs none: they have no outbox.
 *
 * Cost: for each kind a query for each 100 rules, and for each rule at most two; an event for each chart. For a rule that is
 * made or changed two queries, and an event for each of its charts.
 */
export function createWantCharts({ rules, trackedApps, listings, bus, logger, now, sleep }: Deps) {
  const stopping = new AbortController();
  /** Rules that were made or changed, by id: one that is changed again while the bus is away counts once. */
  const changed = new Map<number, Rule>();
  const changes = createWakeSignal();
  let running: Promise<unknown> = Promise.resolve();

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

  async function askChanged(): Promise<void> {
    for (const rule of changed.values()) {
      if (stopping.signal.aborted) return;
      const charts = [...(await chartsOf(rule))];
      if (charts.length > 0) await bus.publish(charts.flatMap(toEvent));
      // Otherwise it was changed meanwhile, and the signal is raised.
      if (changed.get(rule.id) === rule) changed.delete(rule.id);
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

  async function run(ask: () => Promise<void>, wait: () => Promise<void>): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await retryUntilDone(ask, {
        signal,
        sleep,
        onFailure: (err) => logger.warn({ err }, 'charts of rules could not be asked for; retrying'),
      });
      if (!signal.aborted) await wait();
    }
  }

  return {
    start(): void {
      running = Promise.all([
        run(askAll, () => sleep(everyMs, stopping.signal)),
        run(askChanged, () => changes.raised()),
      ]);
    },
    /** The rule may look at another chart than before. */
    ask(rule: Rule): void {
      changed.set(rule.id, rule);
      changes.raise();
    },
    /** Resolves after the current rules. */
    async stop(): Promise<void> {
      stopping.abort();
      changes.raise();
      await running;
    },
  };
}
