import { z } from 'zod';
import { readConfig } from '../process/config.ts';
import { kafkaSettings, readKafkaOptions } from './kafka-settings.ts';

const schema = z.object({ ...kafkaSettings, MONGODB_PREFIX: z.string().default('') });
const read = (settings: Record<string, string>) =>
  readKafkaOptions(readConfig(schema, { KAFKA_BROKERS: 'a:9092, b:9093', ...settings }), 'test');

test('brokers are all that is needed; without them there is no bus', () => {
  expect(read({})).toMatchObject({
    brokers: ['a:9092', 'b:9093'],
    topicPrefix: 'shelfwise.',
    partitions: 12,
    replication: undefined,
    retentionDays: 7,
    tls: null,
    sasl: null,
  });
  expect(read({ KAFKA_BROKERS: '' })).toBeNull();
});

test('the prefix of the databases separates the topics of environments, too', () => {
  expect(read({ MONGODB_PREFIX: 'staging_' })?.topicPrefix).toBe('staging_shelfwise.');
  expect(read({ MONGODB_PREFIX: 'staging_', KAFKA_TOPIC_PREFIX: 'own-' })?.topicPrefix).toBe('own-');
});

test.each([
  [{ KAFKA_BROKERS: 'kafka' }, /KAFKA_BROKERS: must be host:port/],
  [{ KAFKA_SASL_USERNAME: 'u' }, /KAFKA_SASL_MECHANISM: is missing/],
  [{ KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_SASL_USERNAME: 'u' }, /KAFKA_SASL_PASSWORD: is missing/],
  [
    { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'secret' },
    /KAFKA_TLS: must be true with the mechanism plain/,
  ],
  [{ KAFKA_TLS_CA: '/ca.pem' }, /KAFKA_TLS: must be true/],
  [{ KAFKA_TLS: 'true', KAFKA_TLS_CA: '/does/not/exist' }, /KAFKA_TLS_CA: cannot be read/],
  [{ KAFKA_TLS: 'true', KAFKA_TLS_CERT: '/cert.pem' }, /KAFKA_TLS_KEY: is missing/],
])('settings that contradict each other stop the start: %j', (settings, message) => {
  expect(() => read(settings as unknown as Record<string, string>)).toThrow(message);
  expect(() => read(settings as unknown as Record<string, string>)).not.toThrow(/secret/);
});
