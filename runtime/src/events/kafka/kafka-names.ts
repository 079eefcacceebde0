/** The names of topics and groups on the brokers, which other systems and environments may use, too. */
export type KafkaNames = {
  topic(topic: string): string;
  group(group: string): string;
  deadLetters(group: string): string;
  /** The topic of this system; null for another one. */
  fromTopic(name: string): string | null;
};

export function createKafkaNames(prefix: string): KafkaNames {
  return {
    topic: (topic) => prefix + topic,
    group: (group) => prefix + group,
    deadLetters: (group) => `${prefix}dead-letters.${group}`,
    fromTopic: (name) => (name.startsWith(prefix) ? name.slice(prefix.length) : null),
  };
}
