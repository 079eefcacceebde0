import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chartDatabase } from '@shelfwise/chart/config';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { notifyDatabase } from '@shelfwise/notify/config';
import { type TopicMessages, topics } from '@shelfwise/proto/topics';
import { scoringDatabase } from '@shelfwise/scoring/config';
import { trackingDatabase } from '@shelfwise/tracking/config';
import mongoose, { type Connection } from 'mongoose';
import { openKafkaBus } from './kafka-bus.ts';

/** An event on the brokers: when it arose and when it arrived here, in epoch ms. `page`: it says that this page was read. */
type SeenEvent = { topic: string; at: number; arrivedAt: number; page: Page | null };
type Page = Pick<TopicMessages[typeof pageTopic], 'keyword_id' | 'day'>;

/**
 * Notify does not mark these events: it keeps the last day of each keyword. A page that is lost before one of a later day is not found
 * by it; the alerts that are counted (row 17) would miss it.
 */
const pageTopic = 'tracking.snapshot-taken.v1';

const groups = {
  tracking: trackingDatabase,
  scoring: scoringDatabase,
  chart: chartDatabase,
  notify: notifyDatabase,
};

/** Reads every event from the brokers, in a group of its own with a database of its own. */
export async function startEventAudit(options: {
  brokers: string;
  mongodbUri: string;
  /** MONGODB_PREFIX */
  prefix: string;
}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-audit-'));
  const engine = await startEngine({ dataDir });
  const own = await mongoose.createConnection(engine.mongodbUri, { dbName: 'audit' }).asPromise();
  const seen = new Map<string, SeenEvent>();
  const bus = openKafkaBus('audit', { ...options, connection: own });
  await bus.subscribe({
    group: 'audit',
    topics: Object.keys(topics),
    async onEvent({ id, topic, at, payload }) {
      const page = topic === pageTopic ? topics[pageTopic].decode(payload) : null;
      if (!seen.has(id)) seen.set(id, { topic, at: at.getTime(), arrivedAt: Date.now(), page });
    },
  });

  /** The ids of events that a service should have applied and has not. */
  async function findUnapplied(): Promise<string[]> {
    const unapplied: string[] = [];
    for (const [group, database] of Object.entries(groups)) {
      const applied = await readApplied(options.mongodbUri, options.prefix + database, group);
      // A service that has applied one event of a topic consumes that topic.
      const consumed = new Set([...seen].filter(([id]) => applied.has(id)).map(([, { topic }]) => topic));
      for (const [id, { topic }] of seen)
        if (consumed.has(topic) && !applied.has(id)) unapplied.push(`${topic} ${id}`);
    }
    const days = await readDays(options.mongodbUri, options.prefix + notifyDatabase);
    for (const [id, { page }] of seen)
      if (page && page.day > (days.get(page.keyword_id) ?? '')) unapplied.push(`notify ${id}`);
    return unapplied;
  }

  return {
    findUnapplied,
    /** The longest way of an event that arose since `from`, from its change to here, in ms. */
    longestWay(from: number): number {
      let longest = 0;
      for (const { at, arrivedAt } of seen.values())
        if (at >= from) longest = Math.max(longest, arrivedAt - at);
      return longest;
    },
    async stop() {
      await bus.stop();
      await own.close();
      await engine.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type EventAudit = Awaited<ReturnType<typeof startEventAudit>>;

async function readApplied(uri: string, dbName: string, group: string): Promise<Set<string>> {
  const marks = await readAll<{ _id: string }>(uri, dbName, 'applied_events', { _id: 1 });
  const ids = marks.map(({ _id }) => _id);
  return new Set(ids.filter((id) => id.startsWith(`${group} `)).map((id) => id.slice(group.length + 1)));
}

/** By keyword id: the last day whose page notify has applied. */
async function readDays(uri: string, dbName: string): Promise<Map<number, string>> {
  type Row = { _id: number; read_day: string };
  const rows = await readAll<Row>(uri, dbName, 'keyword_pages', { read_day: 1 });
  return new Map(rows.map(({ _id, read_day: day }) => [_id, day]));
}

async function readAll<Row>(uri: string, dbName: string, name: string, projection: object): Promise<Row[]> {
  const connection: Connection = await mongoose.createConnection(uri, { dbName }).asPromise();
  try {
    return (await connection.collection(name).find({}, { projection }).toArray()) as Row[];
  } finally {
    await connection.close();
  }
}
