import type { Admin } from './kafka-client.ts';
import type { KafkaNames } from './kafka-names.ts';

export type GroupLags = { group: string; members: number; lags: { topic: string; lag: number }[] };

/** Each group has a topic for its dead letters. */
export async function listGroups(admin: Pick<Admin, 'listTopics'>, names: KafkaNames): Promise<string[]> {
  const prefix = names.deadLetters('');
  return (await admin.listTopics())
    .filter((topic) => topic.startsWith(prefix))
    .map((topic) => topic.slice(prefix.length));
}

/**
 * The lags of these groups.
 * @param topicsOf the topics of a group, as the events name them; null: those for which it has committed an offset
 */
export async function readGroupLags(
  admin: Pick<Admin, 'describeGroups' | 'fetchOffsets' | 'fetchTopicOffsets'>,
  names: KafkaNames,
  groups: readonly string[],
  topicsOf: (group: string) => readonly string[] | null = () => null,
): Promise<GroupLags[]> {
  const { groups: described } = await admin.describeGroups(groups.map(names.group));
  return Promise.all(
    groups.map(async (group) => ({
      group,
      members: described.find(({ groupId }) => groupId === names.group(group))?.members.length ?? 0,
      lags: await readLags(admin, names, { group, topics: topicsOf(group) }),
    })),
  );
}

async function readLags(
  admin: Pick<Admin, 'fetchOffsets' | 'fetchTopicOffsets'>,
  names: KafkaNames,
  { group, topics }: { group: string; topics: readonly string[] | null },
): Promise<GroupLags['lags']> {
  const groupId = names.group(group);
  const committed = await admin.fetchOffsets(
    topics === null ? { groupId } : { groupId, topics: topics.map(names.topic) },
  );
  return Promise.all(
    committed.map(async ({ topic, partitions }) => {
      const ends = await admin.fetchTopicOffsets(topic);
      const lag = ends.reduce((sum, { partition, high, low }) => {
        const offset = Number(partitions.find((one) => one.partition === partition)?.offset ?? -1);
        return sum + Math.max(0, Number(high) - Math.max(offset, Number(low)));
      }, 0);
      return { topic: names.fromTopic(topic) ?? topic, lag };
    }),
  );
}
