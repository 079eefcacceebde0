import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import type { Connection } from 'mongoose';

/** The database in which the event consumer stores what it receives. */
export const consumerDatabase = 'crash_consumer';

/**
 * What the consumer stored for one topic and key (`_id` is `topic|key`): the ids of the applied events, and how often
 * one was applied. `changes` exceeds the number of events if an event was applied twice.
 */
type Applied = { _id: string; changes: number; events: Record<string, true> };

export function openConsumerCollections(connection: Connection) {
  return {
    applied: connection.collection<Applied>('applied'),
    deliveries: connection.collection<{ _id: string; count: number }>('deliveries'),
  };
}

/**
 * The event consumer with which crash.ts verifies the delivery of events. It applies each event once, because one
 * write stores the change and the event's id. It counts all deliveries separately, so that redeliveries are visible.
 */
export function createEventConsumer(connection: Connection) {
  const { applied, deliveries } = openConsumerCollections(connection);
  return async function onEvent({ id, topic, key }: EventRecord): Promise<void> {
    await deliveries.updateOne({ _id: 'all' }, { $inc: { count: 1 } }, { upsert: true });
    try {
      await applied.updateOne(
        { _id: `${topic}|${key}`, [`events.${id}`]: { $ne: true } },
        { $set: { [`events.${id}`]: true }, $inc: { changes: 1 } },
        { upsert: true },
      );
    } catch (error) {
      // The document exists and contains the event: it was applied before.
      if (!isDuplicateKey(error)) throw error;
    }
  };
}
