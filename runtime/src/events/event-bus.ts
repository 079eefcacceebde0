/**
 * The port that events travel through. Delivery is at least once and, for one key, in the order of publishing;
 * whoever reads applies each event id once.
 */

/** One thing that has happened, as it travels. */
export type EventRecord = {
  /** Unique for ever; a redelivery bears the same one. */
  id: string;
  /** In the past tense, with its version: `tracking.keyword-tracked.v1`. */
  topic: string;
  /** What must stay in order: events of one key are delivered one after the other. */
  key: string;
  /** The topic's message, encoded. */
  payload: Uint8Array;
  at: Date;
  /** The request that caused it, for the logs; absent when no request did. */
  requestId?: string;
};

export type EventSubscription = {
  /** Each group gets every event once, however many processes share it; its place is kept over restarts. */
  group: string;
  topics: readonly string[];
  /** Rejecting has the event delivered again with backoff; after the last try it goes to the dead letters. */
  onEvent(event: EventRecord): Promise<void>;
};

export type EventBus = {
  /** Stands in for an engine of its own; health pages say so. */
  readonly isEmbedded: boolean;
  /** Resolves once the events are safe on disk. */
  publish(events: readonly EventRecord[]): Promise<void>;
  subscribe(subscription: EventSubscription): Promise<void>;
  /** Lets the events being handled finish, then delivers no more. */
  stop(): Promise<void>;
};
