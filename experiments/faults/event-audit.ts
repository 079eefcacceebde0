import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chartDatabase } from '@shelfwise/chart/config';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { notifyDatabase } from '@shelfwise/notify/config';
import { topics } from '@shelfwise/proto/topics';
import { scoringDatabase } from '@shelfwise/scoring/config';
import { trackingDatabase } from '@shelfwise/tracking/config';
import mongoose, { type Connection } from 'mongoose';
import { openKafkaBus } from './kafka-bus.ts';

/** An event on the brokers: when it arose and when it arrived here, in epoch ms. */
type SeenEvent = { topic: string; at: number; arrivedAt: number };

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
    async onEvent({ id, topic, at }) {
      if (!seen.has(id)) seen.set(id, { topic, at: at.getTime(), arrivedAt: Date.now() });
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
  const connection: Connection = await mongoose.createConnection(uri, { dbName }).asPromise();
  try {
    const marks = connection
      .collection<{ _id: string }>('applied_events')
      .find({}, { projection: { _id: 1 } });
    const ids = (await marks.toArray()).map(({ _id }) => _id);
    return new Set(ids.filter((id) => id.startsWith(`${group} `)).map((id) => id.slice(group.length + 1)));
  } finally {
    await connection.close();
  }
}
