import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import type { DeadLetterCursor, DeadLetterSelection } from '@shelfwise/runtime/events/event-admin';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import { describeError, type FailedEvent } from '@shelfwise/runtime/events/event-delivery';
import { type StoredEvent, toRecord, toStored } from '@shelfwise/runtime/events/outbox';
import { groupBy } from '@shelfwise/runtime/group-by';
import { deleteBatch, documentsPerBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import type { Connection, mongo } from 'mongoose';

/**
 * `_id` is the offset: the position of the event among the events of all topics, from 1. Offsets may have gaps, because
 * an event that is already stored uses one up.
 */
type LoggedEvent = StoredEvent & {
  _id: number;
  id: string;
  stored_at: Date;
  /** Only on a replayed event: the id of the original, because `id` is unique, and the only group that receives it. */
  replay?: { id: string; group: string };
};

type NewEvent = Omit<LoggedEvent, '_id' | 'stored_at'>;

/** The committed offset of a group on a topic: the group has handled every event before `next_offset`. */
type StoredOffset = { _id: string; next_offset: number };

/** `_id` is the group and the event id. Dead letters stay until they are replayed or discarded. */
export type StoredDeadLetter = StoredEvent & {
  _id: string;
  id: string;
  group: string;
  error: string;
  attempts: number;
  failed_at: Date;
};

/** `onlyGroup`: the only group that receives the event; null for all. */
export type LogEntry = { offset: number; event: EventRecord; onlyGroup: string | null };

/** All stored events of a topic from the offset `from` on. */
type NewestEvents = { from: number; events: readonly LoggedEvent[] };

/**
 * Of each topic; bytes of payloads. Each may keep the reply of the outbox in memory that it came with. A group that is further
 * behind reads the database.
 */
const keptInMemory = { events: 100, bytes: 2 ** 17 };

/** More than there are. */
const groupsPerWrite = 50;

export function openBusCollections(connection: Connection) {
  const db = connection.getClient().db(connection.name);
  return {
    events: db.collection<LoggedEvent>('bus_events'),
    offsets: db.collection<StoredOffset>('bus_offsets'),
    deadLetters: db.collection<StoredDeadLetter>('bus_dead_letters'),
  };
}

export type EventLog = Awaited<ReturnType<typeof createEventLog>>;

/**
 * Stores the events, the offsets of the groups and the dead letters in the connection's database. It counts the offsets
 * in memory, so one log at a time may append.
 */
export async function createEventLog({ connection, now }: { connection: Connection; now(): Date }) {
  const { events, offsets, deadLetters } = openBusCollections(await connection.asPromise());
  await events.createIndexes([
    { key: { id: 1 }, name: 'id', unique: true },
    { key: { topic: 1, _id: 1 }, name: 'topic_offset' },
    { key: { stored_at: 1 }, name: 'stored_at' },
  ]);
  await deadLetters.createIndex({ failed_at: 1, _id: 1 }, { name: 'failed_at' });
  const lastAtStart = await readLastOffset();
  let lastAssigned = lastAtStart;
  /**
   * The last offset that consumers read. It moves once a whole batch is stored: a consumer that saw a part of a batch
   * could commit an offset beyond an event that is not stored yet.
   */
  let lastStored = lastAtStart;
  /** The last offset of each topic with an event since the start. */
  const lastOfTopic = new Map<string, number>();
  /** By topic. Consumers are woken by an append, so they mostly read only these. Absent until the next append at the start, and after one that failed. */
  const newestOfTopic = new Map<string, NewestEvents>();
  /** By topic: before it, only replayed events are left. */
  const deletedTo = new Map<string, number>();
  let appending: Promise<void> = Promise.resolve();

  /** Groups read on behind the events that they have handled, also when those have expired. */
  async function readLastOffset(): Promise<number> {
    const [newest] = await events
      .find()
      .sort({ _id: -1 })
      .limit(1)
      .project<{ _id: number }>({ _id: 1 })
      .toArray();
    const committed = await offsets.find().toArray();
    return Math.max(newest?._id ?? 0, ...committed.map(({ next_offset: nextOffset }) => nextOffset - 1));
  }

  /** Appends in order. Resolves once the events are on disk. An event whose id is stored already is dropped. */
  async function append(records: readonly EventRecord[]): Promise<void> {
    await appendAll(records.map((record) => ({ id: record.id, ...toStored(record) })));
  }

  /** One write after another, or a later one could be read while an earlier one is not stored yet. */
  async function appendAll(newEvents: readonly NewEvent[]): Promise<void> {
    const appended = appending.catch(() => {}).then(() => store(newEvents));
    appending = appended;
    await appended;
  }

  async function store(newEvents: readonly NewEvent[]): Promise<void> {
    const storedAt = now();
    const logged = newEvents.map((event) => ({ _id: ++lastAssigned, ...event, stored_at: storedAt }));
    const byTopic = [...groupBy(logged, ({ topic }) => topic)].map(([topic, ofTopic]) => {
      return { topic, from: lastOf(topic) + 1, ofTopic };
    });
    // Before the write: if it fails halfway, the events that it stored are read as well.
    for (const { _id, topic } of logged) lastOfTopic.set(topic, _id);
    try {
      const known = await insertNew(events, logged);
      for (const { topic, from, ofTopic } of byTopic) {
        const before = newestOfTopic.get(topic) ?? { from, events: [] };
        const added = ofTopic.filter(({ _id }) => !known.has(_id));
        newestOfTopic.set(topic, keepNewest(before, added));
      }
    } catch (error) {
      for (const { topic } of byTopic) newestOfTopic.delete(topic);
      throw error;
    }
    lastStored = lastAssigned;
  }

  /** Behind the last event that a read which begins now may return. */
  const endOffset = () => lastStored + 1;

  const lastOf = (topic: string) => lastOfTopic.get(topic) ?? lastAtStart;

  /**
   * Reads up to `limit` events in offset order, each topic from its own offset in `nextOffsets`: every event of these
   * topics from there to the last one returned. A topic without new events costs no query, and neither does one with only newest
   * events (`keepNewest`).
   */
  async function read(nextOffsets: ReadonlyMap<string, number>, limit: number): Promise<LogEntry[]> {
    // One end for all topics, so that no event of a key is read before an earlier one of another topic.
    const upTo = lastStored;
    const unread = [...nextOffsets].filter(([topic, nextOffset]) => nextOffset <= lastOf(topic));
    const byTopic = await Promise.all(
      unread.map(([topic, nextOffset]): LoggedEvent[] | Promise<LoggedEvent[]> => {
        const newest = newestOfTopic.get(topic);
        if (newest && newest.from <= nextOffset) return newest.events.filter(({ _id }) => _id >= nextOffset);
        return events
          .find(
            { topic, _id: { $gte: nextOffset, $lte: upTo } },
            // In one batch: no cursor is needed.
            { sort: { _id: 1 }, limit, batchSize: limit + 1 },
          )
          .toArray();
      }),
    );
    return byTopic
      .flat()
      .sort((left, right) => left._id - right._id)
      .slice(0, limit)
      .map((stored) => ({
        offset: stored._id,
        event: toRecord(stored.replay?.id ?? stored.id, stored),
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

  /** Makes the group known, so that no event that it has not handled is deleted, even before it handles its first one. */
  const register = (group: string, topics: readonly string[]) =>
    commitOffsets(group, new Map(topics.map((topic) => [topic, 0])));

  /** `$max`: a committed offset never moves back. */
  const writeOffsets = createBatches({
    maxItems: groupsPerWrite,
    async run(groups: readonly StoredOffset[][]) {
      await offsets.bulkWrite(
        groups.flat().map(({ _id, next_offset: next }) => ({
          updateOne: { filter: { _id }, update: { $max: { next_offset: next } }, upsert: true },
        })),
        { ordered: false },
      );
      return groups.map(() => undefined);
    },
  });

  /** By topic, in one write with those that other groups commit at the same time. */
  const commitOffsets = async (group: string, nextOffsets: ReadonlyMap<string, number>): Promise<void> =>
    writeOffsets(
      [...nextOffsets].map(([topic, next]) => ({ _id: createOffsetId(group, topic), next_offset: next })),
    );

  /** Idempotent: after a crash the group may fail on the same event again. */
  async function addDeadLetter(group: string, failed: FailedEvent): Promise<void> {
    const { event, attempts } = failed;
    const { id } = event;
    const error = describeError(failed.error);
    await deadLetters.updateOne(
      { _id: createLetterId(group, id) },
      { $set: { id, ...toStored(event), group, error, attempts, failed_at: now() } },
      { upsert: true },
    );
  }

  /** The dead letters of a group, or of all, in the order of their failures; at most `limit` after the cursor. */
  async function findDeadLetters(
    { after, ...selection }: DeadLetterSelection & { after: DeadLetterCursor | null },
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

  /**
   * Appends the events again, for the group of their dead letter only, and removes the dead letters. One that is replayed
   * twice, because the process crashed in between, is stored once.
   */
  async function replay(letters: readonly StoredDeadLetter[]): Promise<void> {
    await appendAll(
      letters.map((letter) => {
        const { id, group, failed_at: failedAt } = letter;
        return {
          ...toStored(toRecord(id, letter)),
          id: `${id} for ${group}, failed ${failedAt.toISOString()}`,
          replay: { id, group },
        };
      }),
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
        const { group, topic } = parseOffsetId(_id);
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

  /**
   * Deletes the events that were stored before and that every group of their topic has handled. A topic that no group
   * consumes keeps its events. So do replayed events: their ids keep an interrupted replay from being delivered twice.
   */
  async function deleteHandled(storedBefore: Date, signal: AbortSignal): Promise<void> {
    const end = await findFirstOffset(storedBefore);
    for (const [topic, handledTo] of await readHandledTo()) {
      const before = Math.min(handledTo, end);
      while (!signal.aborted && (await deleteFirst(topic, before)) === documentsPerBatch);
    }
  }

  /** Deletes a batch of the first events of a topic, but keeps replayed ones. Returns how many events it found. */
  async function deleteFirst(topic: string, before: number): Promise<number> {
    const found = await events
      .find({ topic, _id: { $gte: deletedTo.get(topic) ?? 0, $lt: before } })
      .sort({ _id: 1 })
      .limit(documentsPerBatch)
      .project<Pick<LoggedEvent, '_id' | 'replay'>>({ _id: 1, replay: 1 })
      .toArray();
    const ids = found.filter(({ replay }) => replay === undefined).map(({ _id }) => _id);
    if (ids.length > 0) await events.deleteMany({ _id: { $in: ids } });
    const last = found.at(-1);
    if (last) deletedTo.set(topic, last._id + 1);
    return found.length;
  }

  /** The offset of the first event that was stored at this time or later; infinity if there is none. */
  async function findFirstOffset(storedFrom: Date): Promise<number> {
    const [first] = await events
      .find({ stored_at: { $gte: storedFrom } })
      .sort({ stored_at: 1 })
      .limit(1)
      .project<{ _id: number }>({ _id: 1 })
      .toArray();
    return first?._id ?? Number.POSITIVE_INFINITY;
  }

  /** By topic: all of its groups, also those that do not run, have handled every event before. */
  async function readHandledTo(): Promise<Map<string, number>> {
    const handledTo = new Map<string, number>();
    for (const { _id, next_offset: nextOffset } of await offsets.find().toArray()) {
      const { topic } = parseOffsetId(_id);
      handledTo.set(topic, Math.min(nextOffset, handledTo.get(topic) ?? nextOffset));
    }
    return handledTo;
  }

  /** Deletes a batch of the events that were stored before, the oldest first, and returns how many it found. */
  function deleteBefore(before: Date): Promise<number> {
    return deleteBatch({ collection: events }, { stored_at: { $lt: before } }, { stored_at: 1 });
  }

  return {
    append,
    endOffset,
    read,
    readOffsets,
    register,
    commitOffsets,
    addDeadLetter,
    findDeadLetters,
    countDeadLetters,
    discardDeadLetters,
    replay,
    readLag,
    readGroupLag,
    deleteHandled,
    deleteBefore,
  };
}

/** Adds events that were stored behind the others, and leaves out the oldest where there are too many. */
function keepNewest({ from, events }: NewestEvents, added: readonly LoggedEvent[]): NewestEvents {
  const all = [...events, ...added];
  let first = all.length;
  for (let bytes = 0; first > 0 && all.length - first < keptInMemory.events; first--) {
    bytes += all[first - 1]?.payload.length ?? 0;
    if (bytes > keptInMemory.bytes) break;
  }
  const omitted = all[first - 1];
  return { from: omitted ? omitted._id + 1 : from, events: all.slice(first) };
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

function parseOffsetId(id: string): { group: string; topic: string } {
  const [group = '', topic = ''] = id.split(' ');
  return { group, topic };
}
