import { type Admin, isForbidden } from './kafka-client.ts';

/** The setting of a topic that says how long events are kept, in ms. */
export const retention = 'retention.ms';
/** Kafka's number for topics among what has a configuration. */
const topicResource = 2;

/** A topic as the settings want it. */
export type WantedTopic = {
  name: string;
  partitions: number;
  /** Undefined: any number. */
  replicas: number | undefined;
  config: Readonly<Record<string, string>>;
};

type Values = Readonly<Record<string, string | number | undefined>>;

/**
 * How existing topics differ from the settings: in partitions, replicas and retention. A process that may not read the
 * settings of topics (DescribeConfigs in ACLs) does not compare the retention.
 */
export async function findDifferences(
  admin: Pick<Admin, 'fetchTopicMetadata' | 'describeConfigs'>,
  existing: readonly WantedTopic[],
): Promise<{ topic: string; actual: Values; configured: Values }[]> {
  if (existing.length === 0) return [];
  const names = existing.map(({ name }) => name);
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  const retentions = await readRetentions(admin, names);
  return existing.flatMap(({ name, partitions, replicas, config }) => {
    const found = topics.find((topic) => topic.name === name)?.partitions ?? [];
    const actual = {
      partitions: found.length,
      replicas: found[0]?.replicas.length,
      [retention]: retentions?.get(name),
    };
    const configured = {
      partitions,
      replicas: replicas ?? actual.replicas,
      [retention]: (retentions && config[retention]) ?? actual[retention],
    };
    return JSON.stringify(actual) === JSON.stringify(configured) ? [] : [{ topic: name, actual, configured }];
  });
}

/** By topic; null when this process may not read them. */
async function readRetentions(
  admin: Pick<Admin, 'describeConfigs'>,
  names: readonly string[],
): Promise<ReadonlyMap<string, string | undefined> | null> {
  try {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({ type: topicResource, name, configNames: [retention] })),
    });
    return new Map(
      resources.map(({ resourceName, configEntries }) => [resourceName, configEntries[0]?.configValue]),
    );
  } catch (error) {
    if (isForbidden(error)) return null;
    throw error;
  }
}
