import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import { type Connection, mongo } from 'mongoose';

/** An event as it is kept: `_id` is its place in the order of all events. */
type StoredEvent = {
  _id: number;
  id: string;
  topic: string;
  key: string;
  payload: InstanceType<typeof mongo.Binary>;
  at: Date;
  storedAt: Date;
  requestId?: string;
};

/** How far a group has read a topic: everything before `next` is done. */
type StoredOffset = { _id: string; next: number };

type StoredDeadLetter = Omit<StoredEvent, '_id'> & {
  _id: string;
  group: string;
  error: string;
  attempts: number;
  diedAt: Date;
};

export type PlacedEvent = { place: number; event: EventRecord };

export type EventLog = Awaited<ReturnType<typeof createEventLog>>;

/** The events, the places of the groups and the dead letters, in collections of the connection's database. */
export async function createEventLog({ connection, now }: { connection: Connection; now(): Date }) {
  const db = (await connection.asPromise()).getClient().db(connection.name);
  const events = db.collection<StoredEvent>('bus_events');
  const offsets = db.collection<StoredOffset>('bus_offsets');
  const deadLetters = db.collection<StoredDeadLetter>('bus_dead_letters');
  const sequence = db.collection<{ _id: string; last: number }>('bus_sequence');
  await events.createIndexes([
    { key: { id: 1 }, name: 'id', unique: true },
    { key: { topic: 1, _id: 1 }, name: 'topic_place' },
    { key: { storedAt: 1 }, name: 'storedAt' },
  ]);
  /** Every event up to this place is stored: what lies behind is not read yet, lest a later event overtake an earlier. */
  let lastStored = (await sequence.findOne({ _id: 'events' }))?.last ?? 0;
  let waiting: EventRecord[] = [];
  let flushing: Promise<void> = Promise.resolve();

  /** Appends in order. What arrives while an append is on its way goes with the next one, and shares its fsync. */
  async function append(records: readonly EventRecord[]): Promise<void> {
    const isFirst = waiting.length === 0;
    waiting.push(...records);
    if (isFirst) {
      flushing = flushing
        .catch(() => {})
        .then(() => {
          const batch = waiting;
          waiting = [];
          return store(batch);
        });
    }
    await flushing;
  }

  async function store(batch: readonly EventRecord[]): Promise<void> {
    const reserved = await sequence.findOneAndUpdate(
      { _id: 'events' },
      { $inc: { last: batch.length } },
      { upsert: true, returnDocument: 'after' },
    );
    const first = (reserved?.last ?? batch.length) - batch.length + 1;
    const storedAt = now();
    const docs = batch.map((record, at) => toStored(record, first + at, storedAt));
    try {
      await events.insertMany(docs, { ordered: false });
    } catch (error) {
      if (!isAllDuplicates(error)) throw error;
    }
    lastStored = first + batch.length - 1;
  }

  /** The next events of the topics, at most `limit`; `next` is where each topic is to be read from. */
  async function read(next: ReadonlyMap<string, number>, limit: number): Promise<PlacedEvent[]> {
    const upTo = lastStored;
    const found = await Promise.all(
      Array.from(next, ([topic, place]) =>
        events
          .find({ topic, _id: { $gte: place, $lte: upTo } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      ),
    );
    return found
      .flat()
      .sort((left, right) => left._id - right._id)
      .slice(0, limit)
      .map((stored) => ({ place: stored._id, event: toRecord(stored) }));
  }

  /** Where the group is to read the topics from; a new group starts at the beginning. */
  async function readOffsets(group: string, topics: readonly string[]): Promise<Map<string, number>> {
    const stored = await offsets
      .find({ _id: { $in: topics.map((topic) => offsetId(group, topic)) } })
      .toArray();
    return new Map(
      topics.map((topic) => [topic, stored.find(({ _id }) => _id === offsetId(group, topic))?.next ?? 0]),
    );
  }

  async function commit(group: string, topic: string, next: number): Promise<void> {
    await offsets.updateOne({ _id: offsetId(group, topic) }, { $max: { next } }, { upsert: true });
  }

  /** Keeps what a group could not handle; once, also when the group meets it again after a crash. */
  async function bury(group: string, event: EventRecord, cause: unknown, attempts: number): Promise<void> {
    const { _id: _place, ...stored } = toStored(event, 0, now());
    const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    await deadLetters.updateOne(
      { _id: `${group}:${event.id}` },
      { $set: { ...stored, group, error, attempts, diedAt: now() } },
      { upsert: true },
    );
  }

  async function removeOlderThan(time: Date): Promise<void> {
    await events.deleteMany({ storedAt: { $lt: time } });
  }

  return { append, read, readOffsets, commit, bury, removeOlderThan };
}

function offsetId(group: string, topic: string): string {
  return `${group} ${topic}`;
}

function toStored({ payload, ...record }: EventRecord, place: number, storedAt: Date): StoredEvent {
  return { _id: place, ...record, payload: new mongo.Binary(payload), storedAt };
}

function toRecord({ id, topic, key, payload, at, requestId }: StoredEvent): EventRecord {
  const bytes = new Uint8Array(payload.buffer.subarray(0, payload.position));
  return { id, topic, key, payload: bytes, at, ...(typeof requestId === 'string' && { requestId }) };
}

/** An event that is there already was published before a crash, by an outbox that could not note it. */
function isAllDuplicates(error: unknown): boolean {
  if (!(error instanceof mongo.MongoBulkWriteError)) return false;
  const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return errors.length > 0 && errors.every(({ code }) => code === 11000);
}
