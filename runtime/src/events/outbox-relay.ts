import { topics } from '@shelfwise/proto/topics';
import type { Model } from 'mongoose';
import { type Sleep, sleep as wallClockSleep } from '../concurrency/sleep.ts';
import { type RetryDelays, retryDelayMs } from '../jobs/retry-delay.ts';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { hideDriverError } from '../mongo/database-errors.ts';
import { createLease } from '../mongo/lease.ts';
import { nounFor } from '../noun-for.ts';
import { PartState, type StatusCheck } from '../process/status.ts';
import { outsideSpans } from '../tracing/tracing.ts';
import type { EventBus, EventRecord } from './event-bus.ts';
import {
  type PublishDeps,
  type PublishOutcome,
  pending,
  publishBatch,
  readBacklog,
  relayLeaseMs,
} from './publish-outbox.ts';

/** A model whose documents hold events. */
export type Outbox = { modelName: string };

/** As `OutboxRelay.wake`. */
export type WakeRelay = (written?: Outbox) => void;

export type OutboxRelay = {
  start(): void;
  /**
   * Publishes new events now; to be called after each write of one. Costs nothing while another copy publishes: this copy
   * then looks once a second.
   * @param written the model with the new event. Without copies only its outboxes are then looked at, and all within 6 s; absent: all
   */
  wake(written?: Outbox): void;
  /** Looks for events now, as happens regularly from the start on. Resolves when nothing is being published. */
  poll(): Promise<void>;
  /** Publishes all pending events, then stops. Rejects if that fails; the events then stay in their outboxes. */
  stop(): Promise<void>;
  status: StatusCheck;
};

/** Without a reason to look sooner: a copy may have died before it published what it wrote. */
const lookEveryMs = 5000;
/** While another copy publishes or publishing fails, and until this copy gives the lease back. */
const lookSoonMs = 1000;
/** A backlog of this many documents is shown as degraded. Counting stops there. */
const degradedBacklog = 1000;
/** The pauses after failures. Within a pause, new events cause no query. */
const failureDelays: RetryDelays = { firstMs: 500, longestMs: 2000 };

/**
 * Publishes events from outboxes to the bus. The document that has waited longest since its newest event comes first.
 * Without a bus (null) the events stay in their outboxes. Cost: one indexed query per model and look, without
 * copies often of one model only (`wake`), plus one publish and one bulk write per 50 documents; with several copies also the writes
 * of the lease.
 *
 * Of several copies on one database one publishes, so that each event is published once, and the events of a document
 * in their order. It has the lease while there is something to publish, and looks once a second for what others wrote; when
 * there is nothing, it gives the lease back, so that any copy can publish its own events at once. A copy whose events wait
 * for another one looks once a second, too, and continues 6 s after the other died.
 * An event is published again, with the same id, only if a copy dies between publishing and emptying the outboxes, or
 * is frozen there for longer than the lease. Then the repetition may follow newer events of its key; consumers skip it
 * by its id.
 *
 * An event that the bus refuses for good, such as for its size, holds up no other event: it stays in its outbox, is
 * logged as an error and counted, and is tried again with the next event of its document.
 */
export function createOutboxRelay(deps: {
  /** All on one connection. */
  models: readonly Model<unknown>[];
  /** The name of the service, for metrics. */
  service: string;
  bus: EventBus | null;
  /** False when no other process can use the database. */
  hasCopies: boolean;
  logger: Logger;
  metrics: Metrics;
  now: () => Date;
  /** Default: that of the process. */
  monotonicMs?: () => number;
  /** Default: the wall clock. */
  sleep?: Sleep;
}): OutboxRelay {
  const { models, bus, logger, metrics, now, monotonicMs = () => performance.now() } = deps;
  const { sleep = wallClockSleep } = deps;
  const connection = models[0]?.db;
  const lease =
    deps.hasCopies && connection
      ? createLease({ connection, name: 'outbox', leaseMs: relayLeaseMs, monotonicMs })
      : null;
  // From zero, so that the first one is an increase.
  for (const topic of Object.keys(topics)) {
    metrics.eventsPublished.inc({ topic }, 0);
    metrics.eventsRefused.inc({ topic }, 0);
  }
  metrics.outboxes.add(deps.service, () => readBacklog(models));
  const allNames = models.map(({ modelName }) => modelName);
  /** Ends the wait for the next look. */
  let waiting = new AbortController();
  let isStarted = false;
  let running: Promise<void> | null = null;
  /** The names of the models that were written while it was running. */
  let wokenFor = new Set<string>();
  /** When a look at all outboxes began, by `monotonicMs`. */
  let lookedAtAllAt = Number.NEGATIVE_INFINITY;
  /** Consecutive failures, and until when nothing is tried, in epoch ms. */
  let failures = 0;
  let pausedUntil = 0;
  /** Whether another copy published at the last look. Then a wake changes nothing. */
  let isOtherPublishing = false;

  async function publishAll(names: ReadonlySet<string>): Promise<void> {
    if (!bus) return;
    isOtherPublishing = false;
    const deps: PublishDeps = { bus, lease, onPublished, onRefused };
    let isEmpty = true;
    for (const model of models) {
      if (!names.has(model.modelName)) continue;
      let outcome: PublishOutcome;
      do {
        outcome = await publishBatch(model, deps);
        isEmpty &&= outcome === 'nothing';
      } while (outcome === 'more');
      isOtherPublishing = outcome === 'not mine';
      if (isOtherPublishing) return;
    }
    if (isEmpty) await lease?.release();
  }

  function onPublished({ topic }: EventRecord): void {
    metrics.eventsPublished.inc({ topic });
  }

  function onRefused({ id, topic, key, payload }: EventRecord, reason: unknown): void {
    metrics.eventsRefused.inc({ topic });
    logger.error(
      { err: reason, topic, eventId: id, eventKey: key, bytes: payload.length },
      'the event bus refuses an event; it stays in its outbox until the next event of the same document',
    );
  }

  function onFailure(error: unknown): void {
    failures += 1;
    const delayMs = retryDelayMs(failures, Math.random, failureDelays);
    pausedUntil = now().getTime() + delayMs;
    // Once per outage: an attempt every two seconds would fill the log.
    if (failures > 1) return;
    logger.warn({ err: error }, 'publishing failed; events stay in the outbox until it succeeds');
  }

  function isPaused(): boolean {
    const leftMs = pausedUntil - now().getTime();
    // Longer after the clock was set back.
    return leftMs > 0 && leftMs <= failureDelays.longestMs;
  }

  /**
   * Whether a look may leave out outboxes: not what failed before, what other copies write, or what was written without a wake, such as
   * by a command that failed only for this process.
   */
  function mayLookAtSome(): boolean {
    return lease === null && failures === 0 && monotonicMs() - lookedAtAllAt < lookEveryMs;
  }

  function publishPending(written: Iterable<string> = allNames): void {
    if (isPaused()) return;
    if (running) {
      for (const name of written) wokenFor.add(name);
      return;
    }
    const names = new Set(mayLookAtSome() ? written : allNames);
    if (names.size === allNames.length) lookedAtAllAt = monotonicMs();
    // It also publishes what others have written.
    running = outsideSpans(() => publishAll(names))
      .then(() => {
        // Otherwise this copy has not learned whether the bus works.
        if (!isOtherPublishing) failures = 0;
      }, onFailure)
      .finally(() => {
        running = null;
        lookLater();
        if (wokenFor.size === 0) return;
        const woken = wokenFor;
        wokenFor = new Set();
        if (!isOtherPublishing) publishPending(woken);
      });
  }

  function lookLater(): void {
    waiting.abort();
    if (!isStarted) return;
    waiting = new AbortController();
    const { signal } = waiting;
    const isSoon = failures > 0 || isOtherPublishing || lease?.isHeld();
    // A look at some outboxes does not put off the next one at all.
    const leftMs = Math.max(lookSoonMs, lookedAtAllAt + lookEveryMs - monotonicMs());
    void sleep(isSoon ? lookSoonMs : leftMs, signal).then(() => {
      if (signal.aborted) return;
      if (isPaused()) lookLater();
      else publishPending();
    });
  }

  function wake(written?: Outbox): void {
    if (!isOtherPublishing) publishPending(written && [written.modelName]);
  }

  return {
    start() {
      isStarted = true;
      publishPending();
    },
    wake,
    async poll() {
      publishPending();
      while (running) await running;
    },
    async stop() {
      isStarted = false;
      waiting.abort();
      while (running) await running;
      try {
        await publishAll(new Set(allNames));
      } finally {
        await lease?.release().catch(() => {});
      }
    },
    async status() {
      const counts = await hideDriverError(
        Promise.all(models.map((model) => model.countDocuments(pending, { limit: degradedBacklog }))),
      );
      const backlog = counts.reduce((sum, count) => sum + count, 0);
      const isLarge = backlog >= degradedBacklog;
      const changes = isLarge
        ? `${degradedBacklog.toLocaleString('en-US')} or more changes`
        : `${backlog} ${nounFor(backlog, 'change')}`;
      const noBusNote = bus ? '' : '; no event bus is set (KAFKA_BROKERS), so events stay in the database';
      return {
        name: 'events',
        state: isLarge || !bus ? PartState.DEGRADED : PartState.OK,
        detail: `${changes} not published yet${noBusNote}`,
        is_embedded: bus?.isEmbedded ?? false,
      };
    },
  };
}
