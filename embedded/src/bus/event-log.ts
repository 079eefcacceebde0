import type { DeadLetterPlace, DeadLetterSelection } from '@shelfwise/runtime/events/event-admin';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import { describeError, type FailedEvent } from '@shelfwise/runtime/events/event-delivery';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { type Connection, mongo } from 'mongoose';

/**
 * `_id` is the offset: the position of the event among the events of all topics, from 1. Offsets may have gaps, because
 * an event that is already stored uses one up.
 */
type StoredEvent = {
  _id: number;
  id: string;
  topic: string;
  key: string;
  payload: InstanceType<typeof mongo.Binary>;
  at: Date;
  stored_at: Date;
  request_id: string | null;
  /** Absent without a trace. */
  traceparent?: string;
  /** Of a replayed event: its own id, because `id` is unique, and the only group that receives it. */
  replay?: { id: string; group: string };
};

/** The committed offset of a group on a topic: the group has handled every event before `next_offset`. */
type StoredOffset = { _id: string; next_offset: number };

/** `_id` is the group and the event id. Dead letters stay until they are replayed or discarded. */
export type StoredDeadLetter = Omit<StoredEvent, '_id'> & {
  _id: string;
  group: string;
  error: string;
  attempts: number;
  failed_at: Date;
};

/** `onlyGroup`: the only group that receives the event; null for all. */
export type LogEntry = { offset: number; event: EventRecord; onlyGroup: string | null };

type NewEntry = { record: EventRecord; replayFor: { group: string; failedAt: Date } | null };

export function openBusCollections(connection: Connection) {
  const db = connection.getClient().db(connection.name);
  return {
    events: db.collection<StoredEvent>('bus_events'),
    offsets: db.collection<StoredOffset>('bus_offsets'),
    deadLetters: db.collection<StoredDeadLetter>('bus_dead_letters'),
    sequence: db.collection<{ _id: string; last_offset: number }>('bus_sequence'),
  };
}

export type EventLog = Awaited<ReturnType<typeof createEventLog>>;

/** Stores the events, the offsets of the groups and the dead letters in the connection's database. */
export async function createEventLog({ connection, now }: { connection: Connection; now(): Date }) {
  const { events, offsets, deadLetters, sequence } = openBusCollections(await connection.asPromise());
  await events.createIndexes([
    { key: { id: 1 }, name: 'id', unique: true },
    { key: { topic: 1, _id: 1 }, name: 'topic_offset' },
    { key: { stored_at: 1 }, name: 'stored_at' },
  ]);
  await deadLetters.createIndex({ failed_at: 1, _id: 1 }, { name: 'failed_at' });
  /**
   * The last offset that consumers read. It moves once a whole batch is stored: a consumer that saw a part of a batch
   * could commit an offset beyond an event that is not stored yet.
   */
  let lastStored = (await sequence.findOne({ _id: 'events' }))?.last_offset ?? 0;
  const lastAtStart = lastStored;
  /** The last offset of each topic with an event since the start. */
  const lastOfTopic = new Map<string, number>();
  let pending: NewEntry[] = [];
  let flushing: Promise<void> = Promise.resolve();

  /**
   * Appends in order. Resolves once the events are on disk. Events that arrive during a write are stored together by
   * the next write and share its fsync. If that write fails, the calls of all of them reject.
   */
  async function append(records: readonly EventRecord[]): Promise<void> {
    await appendEntries(records.map((record) => ({ record, replayFor: null })));
  }

  async function appendEntries(entries: readonly NewEntry[]): Promise<void> {
    const isFirst = pending.length === 0;
    pending.push(...entries);
    if (isFirst) {
      flushing = flushing
        .catch(() => {})
        .then(() => {
          const batch = pending;
          pending = [];
          return store(batch);
        });
    }
    await flushing;
  }

  async function store(batch: readonly NewEntry[]): Promise<void> {
    const reserved = await sequence.findOneAndUpdate(
      { _id: 'events' },
      { $inc: { last_offset: batch.length } },
      { upsert: true, returnDocument: 'after' },
    );
    const first = (reserved?.last_offset ?? batch.length) - batch.length + 1;
    const storedAt = now();
    const docs = batch.map((entry, index) => ({ _id: first + index, ...toStoredEntry(entry, storedAt) }));
    // Before the write: if it fails halfway, the events that it stored are read as well.
    for (const { _id, topic } of docs) lastOfTopic.set(topic, _id);
    try {
      await events.insertMany(docs, { ordered: false });
    } catch (error) {
      if (!isAllDuplicates(error)) throw error;
    }
    lastStored = first + batch.length - 1;
  }

  /**
   * Reads up to `limit` events in offset order, each topic from its own offset in `nextOffsets`: every event of these
   * topics from there to the last one returned. A topic without new events costs no query.
   */
  async function read(nextOffsets: ReadonlyMap<string, number>, limit: number): Promise<LogEntry[]> {
    // One end for all topics, so that no event of a key is read before an earlier one of another topic.
    const upTo = lastStored;
    const unread = [...nextOffsets].filter(
      ([topic, nextOffset]) => nextOffset <= (lastOfTopic.get(topic) ?? lastAtStart),
    );
    const byTopic = await Promise.all(
      unread.map(([topic, nextOffset]) =>
        events
          .find({ topic, _id: { $gte: nextOffset, $lte: upTo } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      ),
    );
    return byTopic
      .flat()
      .sort((left, right) => left._id - right._id)
      .slice(0, limit)
      .map((stored) => ({
        offset: stored._id,
        event: toRecord(stored),
        onlyGroup: stored.replay?.group ?? null,
      }));
  }

  /** The committed offset of each topic. A new group starts at 0, before the oldest event. */
  async function readOffsets(group: string, topics: readonly string[]): Promise<Map<string, number>> {
    const stored = await offsets
      .find({ _id: { $in: topics.map((topic) => createOffsetId(group, topic)) } })
      .toArray();
    const nextOffsets = new Map(stored.map((offset) => [offset._id, offset.next_offset]));
    return new Map(topics.map((topic) => [topic, nextOffsets.get(createOffsetId(group, topic)) ?? 0]));
  }

  /** `$max`: a committed offset never moves back. */
  async function commitOffset(group: string, topic: string, nextOffset: number): Promise<void> {
    await offsets.updateOne(
      { _id: createOffsetId(group, topic) },
      { $max: { next_offset: nextOffset } },
      { upsert: true },
    );
  }

  /** Idempotent: after a crash the group may fail on the same event again. */
  async function addDeadLetter(group: string, failed: FailedEvent): Promise<void> {
    const { event, attempts } = failed;
    const error = describeError(failed.error);
    const failedAt = now();
    await deadLetters.updateOne(
      { _id: createLetterId(group, event.id) },
      { $set: { ...toStored(event, failedAt), group, error, attempts, failed_at: failedAt } },
      { upsert: true },
    );
  }

  /** The dead letters of a group, or of all, in the order of their failures; at most `limit` after that place. */
  async function findDeadLetters(
    { after, ...selection }: DeadLetterSelection & { after: DeadLetterPlace | null },
    limit: number,
  ): Promise<StoredDeadLetter[]> {
    const filter = toFilter(selection);
    if (after !== null)
      filter.$or = [
        { failed_at: { $gt: after.failedAt } },
        { failed_at: after.failedAt, _id: { $gt: createLetterId(after.group, after.id) } },
      ];
    return deadLetters.find(filter).sort({ failed_at: 1, _id: 1 }).limit(limit).toArray();
  }

  /** Counting stops at `limit`. */
  async function countDeadLetters(group: string | null, limit?: number): Promise<number> {
    return deadLetters.countDocuments(group === null ? {} : { group }, upTo(limit));
  }

  /** Appends the event again, for the group of the dead letter only, and removes the dead letter. */
  async function replay(letters: readonly StoredDeadLetter[]): Promise<void> {
    await appendEntries(
      letters.map((letter) => ({
        record: toRecord(letter),
        replayFor: { group: letter.group, failedAt: letter.failed_at },
      })),
    );
    await deadLetters.deleteMany({ _id: { $in: letters.map(({ _id }) => _id) } });
  }

  /** Removes dead letters for good, and returns how many. */
  async function discardDeadLetters(selection: DeadLetterSelection): Promise<number> {
    return (await deadLetters.deleteMany(toFilter(selection))).deletedCount;
  }

  /** How many events of each topic each group has not handled. */
  async function readLag(): Promise<{ group: string; topic: string; lag: number }[]> {
    const committed = await offsets.find().sort({ _id: 1 }).toArray();
    return Promise.all(
      committed.map(async ({ _id, next_offset: nextOffset }) => {
        const [group = '', topic = ''] = _id.split(' ');
        return { group, topic, lag: await countFrom(topic, nextOffset) };
      }),
    );
  }

  /** The same for the topics of one group, also before it has handled its first event; counting stops at `limit`. */
  async function readGroupLag(
    group: string,
    topics: readonly string[],
    limit: number,
  ): Promise<{ topic: string; lag: number }[]> {
    const nextOffsets = await readOffsets(group, topics);
    return Promise.all(
      [...nextOffsets].map(async ([topic, nextOffset]) => ({
        topic,
        lag: await countFrom(topic, nextOffset, limit),
      })),
    );
  }

  const countFrom = (topic: string, nextOffset: number, limit?: number) =>
    events.countDocuments({ topic, _id: { $gte: nextOffset } }, upTo(limit));

  /** Deletes a batch of the events that were stored before, the oldest first, and returns how many it found. */
  function deleteBefore(before: Date): Promise<number> {
    return deleteBatch({ collection: events }, { stored_at: { $lt: before } }, { stored_at: 1 });
  }

  return {
    append,
    read,
    readOffsets,
    commitOffset,
    addDeadLetter,
    findDeadLetters,
    countDeadLetters,
    discardDeadLetters,
    replay,
    readLag,
    readGroupLag,
    deleteBefore,
  };
}

function toFilter({ group, ids }: DeadLetterSelection): mongo.Filter<StoredDeadLetter> {
  const filter: mongo.Filter<StoredDeadLetter> = {};
  if (group !== null) filter.group = group;
  if (ids !== null) filter.id = { $in: [...ids] };
  return filter;
}

function upTo(limit: number | undefined): { limit?: number } {
  return limit === undefined ? {} : { limit };
}

function createLetterId(group: string, id: string): string {
  return `${group}:${id}`;
}

function createOffsetId(group: string, topic: string): string {
  return `${group} ${topic}`;
}

function toStored(record: EventRecord, storedAt: Date): Omit<StoredEvent, '_id'> {
  const { id, topic, key, payload, at, requestId, traceparent } = record;
  const stored: Omit<StoredEvent, '_id'> = {
    id,
    topic,
    key,
    payload: new mongo.Binary(payload),
    at,
    stored_at: storedAt,
    request_id: requestId ?? null,
  };
  if (traceparent !== undefined) stored.traceparent = traceparent;
  return stored;
}

/** A dead letter that is replayed twice, because the process crashed in between, is stored once. */
function toStoredEntry({ record, replayFor }: NewEntry, storedAt: Date): Omit<StoredEvent, '_id'> {
  const stored = toStored(record, storedAt);
  if (!replayFor) return stored;
  const { group, failedAt } = replayFor;
  return {
    ...stored,
    id: `${record.id} for ${group}, failed ${failedAt.toISOString()}`,
    replay: { id: record.id, group },
  };
}

function toRecord(stored: Omit<StoredEvent, '_id'>): EventRecord {
  const { topic, key, payload, at, request_id: requestId, traceparent } = stored;
  const id = stored.replay?.id ?? stored.id;
  const bytes = new Uint8Array(payload.buffer.subarray(0, payload.position));
  const record: EventRecord = { id, topic, key, payload: bytes, at };
  if (requestId !== null) record.requestId = requestId;
  if (traceparent !== undefined) record.traceparent = traceparent;
  return record;
}

/**
 * Whether every event that failed to be inserted is already stored, by its id (code 11000). This is no failure: an
 * outbox publishes an event again if the process crashed before the outbox was emptied.
 */
function isAllDuplicates(error: unknown): boolean {
  if (!(error instanceof mongo.MongoBulkWriteError)) return false;
  const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return errors.length > 0 && errors.every(({ code }) => code === 11000);
}
