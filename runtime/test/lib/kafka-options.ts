import type { KafkaOptions } from '../../src/events/kafka-settings.ts';

/** Brokers at a closed port. */
export const unreachableKafka: KafkaOptions = {
  brokers: ['127.0.0.1:1'],
  clientId: 'test',
  tls: null,
  sasl: null,
  topicPrefix: 'test.',
  partitions: 1,
  replication: 1,
  retentionDays: 1,
};
