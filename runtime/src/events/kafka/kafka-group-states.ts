import { within } from '../../concurrency/within.ts';
import type { Logger } from '../../log/logger.ts';
import type { GroupState } from '../event-bus.ts';
import type { KafkaOptions } from '../kafka-settings.ts';
import { createDeadLetterLog } from './dead-letter-log.ts';
import { type Admin, createKafkaClient } from './kafka-client.ts';
import { createKafkaNames } from './kafka-names.ts';
import { listGroups, readGroupLags } from './read-group-lags.ts';
import { readTopic } from './read-topic.ts';

const answerMs = 5000;
/** Dead letters are counted again when there are new ones, but not more often than this. */
const countAgainMs = 30_000;

type OwnGroup = { group: string; topics: readonly string[] };

/** The dead letters of a group, when their topic ended at `end`. */
type Count = { end: string; letters: number; atMs: number };

/**
 * Reads for metrics what groups have left to do, over one connection that stays open. The lag is that of all groups, so
 * that the lag of a group whose only process is frozen is seen by its publishers.
 */
export function createKafkaGroupStates(
  options: KafkaOptions,
  logger: Logger,
  monotonicMs: () => number = () => performance.now(),
) {
  const names = createKafkaNames(options.topicPrefix);
  const counts = new Map<string, Count>();
  const counting = new Set<string>();
  let connection: { admin: Admin; destroy(): void } | null = null;
  let isStopped = false;

  async function connect(): Promise<Admin> {
    if (isStopped) throw new Error('the event bus has stopped');
    if (connection) return connection.admin;
    const client = createKafkaClient(options, logger);
    const admin = client.kafka.admin();
    connection = { admin, destroy: client.destroy };
    await admin.connect();
    return admin;
  }

  function disconnect(): void {
    void connection?.admin.disconnect().catch(() => {});
    connection?.destroy();
    connection = null;
  }

  async function readAll(own: readonly OwnGroup[]): Promise<GroupState[]> {
    const admin = await connect();
    const groups = await listGroups(admin, names);
    const topicsOf = (wanted: string) => own.find(({ group }) => group === wanted)?.topics ?? null;
    const rows = await readGroupLags(admin, names, groups, topicsOf);
    return Promise.all(
      groups.map(async (group) => ({
        group,
        lags: rows.find((row) => row.group === group)?.lags ?? [],
        members: rows.find((row) => row.group === group)?.members ?? null,
        deadLetters: topicsOf(group) !== null ? await countDeadLetters(admin, group) : null,
      })),
    );
  }

  /** The latest count; null before the first one. A compacted topic tells how many letters it holds only when it is read. */
  async function countDeadLetters(admin: Admin, group: string): Promise<number | null> {
    const [partition] = await admin.fetchTopicOffsets(names.deadLetters(group));
    if (!partition || partition.high === partition.low) return 0;
    const latest = counts.get(group);
    const isCurrent =
      latest !== undefined && (latest.end === partition.high || monotonicMs() - latest.atMs < countAgainMs);
    if (!isCurrent && !counting.has(group)) void count(group, partition.high);
    return latest?.letters ?? null;
  }

  /** In the background, because it takes seconds. */
  async function count(group: string, end: string): Promise<void> {
    counting.add(group);
    const log = createDeadLetterLog({
      group,
      names,
      read: (onMessage) => readTopic(options, logger, names.deadLetters(group), onMessage),
      send: () => Promise.reject(new Error('a count publishes nothing')),
    });
    try {
      counts.set(group, { end, letters: (await log.list()).length, atMs: monotonicMs() });
    } catch (error) {
      logger.debug({ err: error, group }, 'the dead letters cannot be counted');
    } finally {
      counting.delete(group);
    }
  }

  return {
    /** @param own the groups of this process. Only their dead letters are counted. */
    async read(own: readonly OwnGroup[]): Promise<GroupState[]> {
      try {
        return await within(answerMs, 'reading the lag of groups', readAll(own));
      } catch (error) {
        disconnect();
        throw error;
      }
    },
    stop(): void {
      isStopped = true;
      disconnect();
    },
  };
}
