import type { StatusCheck } from '../process/status.ts';

export type EventRecord = {
  /** Unique; a redelivered event keeps its id. */
  id: string;
  /** In the past tense, with its version: `<service>.<what-happened>.v1`. */
  topic: string;
  /** The ordering key: events of a topic with the same key are delivered one after another. */
  key: string;
  /** The encoded message of the topic. */
  payload: Uint8Array;
  at: Date;
  /** The request that caused the event, for the logs; absent when there was none. */
  requestId?: string;
  /** The span that the event comes from; absent when there was none. */
  traceparent?: string;
};

export type BatchHandler = (events: readonly EventRecord[], signal: AbortSignal) => Promise<void>;

export type EventSubscription = {
  /** Each group receives every event once, shared among its processes. Its position survives restarts. */
  group: string;
  topics: readonly string[];
  /**
   * If it rejects, the event is redelivered with backoff; after the last attempt it goes to the dead letters. While the
   * database is unavailable it is redelivered without end.
   */
  onEvent(event: EventRecord): Promise<void>;
  /**
   * By topic: handles events that wait at the same time together, each of another key. If it rejects, each of them is
   * passed to `onEvent`, so that one bad event does not hold up the others; some are then handled twice. While the database is
   * unavailable they stay together. When the signal fires, nothing more needs to start.
   */
  batchHandlers?: ReadonlyMap<string, BatchHandler>;
  /**
   * On Kafka an event may wait a second for others, and those of all partitions are handled together. For a group that no caller waits
   * for; the embedded bus, whose reads cost little, delivers at once.
   */
  gathers?: boolean;
  /**
   * Topics whose events change nothing when they are applied again, also after later ones of their key. Kafka's events of these topics
   * are not marked as applied, which costs less.
   */
  repeatable?: readonly string[];
};

/** What a group has left to do, for metrics. */
export type GroupState = {
  group: string;
  /** Events that the group has not applied yet, by topic. */
  lags: { topic: string; lag: number }[];
  /** Processes that consume as this group; null when the engine does not know. */
  members: number | null;
  /** Dead letters that wait to be replayed; null when they are not counted. */
  deadLetters: number | null;
};

/** The engine refuses these events for good, such as for their size. `cause` is its reason. */
export class EventsRefusedError extends Error {
  override readonly name = 'EventsRefusedError';
  readonly events: readonly EventRecord[];

  constructor(events: readonly EventRecord[], cause: unknown) {
    super('the event bus refuses some events', { cause });
    this.events = events;
  }
}

/**
 * The interface to the event engine. Delivery is at least once and, per key within a topic, in the order of publishing:
 * nothing is promised about the order of two topics. Consumers must apply each event id once.
 */
export type EventBus = {
  /** Whether the bus is an embedded substitute for an external engine. Health pages show it. */
  readonly isEmbedded: boolean;
  /**
   * Resolves once the events are stored safely: on disk, or acknowledged by all replicas. After a rejection some of them
   * may be stored; publish all of them again, in the same order, before later events of their keys.
   * @throws EventsRefusedError when publishing some of them again would not help; all others are stored
   */
  publish(events: readonly EventRecord[]): Promise<void>;
  subscribe(subscription: EventSubscription): Promise<void>;
  /** Waits for events in progress, then delivers no more. */
  stop(): Promise<void>;
  /** Whether the engine answers; absent when the bus has no engine of its own. */
  readonly status?: StatusCheck;
};
