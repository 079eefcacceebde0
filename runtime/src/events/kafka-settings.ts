import { z } from 'zod';
import { booleanSetting, integerSetting, refuseSetting } from '../process/config.ts';
import { readTlsFiles, type TlsFiles } from '../process/tls-files.ts';

const brokersSetting = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((address) => address !== ''))
  .refine(
    (addresses) => addresses.length > 0 && addresses.every((one) => /^[a-z0-9._-]+:\d{1,5}$/i.test(one)),
    {
      error: 'must be host:port of one or more brokers, separated by commas',
    },
  );

/** The settings of a process that publishes or consumes events. Without KAFKA_BROKERS the others have no effect. */
export const kafkaSettings = {
  /** host:port of one or more brokers, separated by commas */
  KAFKA_BROKERS: brokersSetting.optional(),
  /** The start of the names of all topics and consumer groups; default: MONGODB_PREFIX, then `shelfwise.`. */
  KAFKA_TOPIC_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9._-]{1,100}$/, 'must be at most 100 letters, digits, dots, underscores and hyphens')
    .optional(),
  /** Partitions of a new topic: the most processes that consume it at the same time. */
  KAFKA_PARTITIONS: integerSetting(1, 1000).default(12),
  /** Replicas of a new topic; default: 3, or the number of brokers if there are fewer. */
  KAFKA_REPLICATION: integerSetting(1, 15).optional(),
  /** How long events are kept on the bus, in days. */
  EVENT_RETENTION_DAYS: integerSetting(1, 365).default(7),
  KAFKA_TLS: booleanSetting.default(false),
  /** A file with the certificates of the brokers' authorities; default: those that Node.js knows. */
  KAFKA_TLS_CA: z.string().optional(),
  /** Files with the certificate and the key of this client, for brokers that ask for one. */
  KAFKA_TLS_CERT: z.string().optional(),
  KAFKA_TLS_KEY: z.string().optional(),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'must be plain, scram-sha-256 or scram-sha-512')
    .optional(),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: z.string().optional(),
};

/** `MONGODB_PREFIX` separates environments: it starts the names of topics, too. */
export type KafkaSettings = z.output<z.ZodObject<typeof kafkaSettings>> & { MONGODB_PREFIX: string };

export function topicPrefix({
  KAFKA_TOPIC_PREFIX: prefix,
  MONGODB_PREFIX: environment,
}: KafkaSettings): string {
  return prefix ?? `${environment}shelfwise.`;
}

type SaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512';

/** How to reach the brokers, and the topics there. */
export type KafkaOptions = {
  brokers: readonly string[];
  /** The name of the process for the brokers' logs and quotas. */
  clientId: string;
  /** Null: unencrypted. */
  tls: TlsFiles | null;
  /** Null: the brokers ask for no password. */
  sasl: { mechanism: SaslMechanism; username: string; password: string } | null;
  topicPrefix: string;
  partitions: number;
  /** Undefined: 3, or the number of brokers if there are fewer. */
  replication: number | undefined;
  retentionDays: number;
};

/**
 * The options that the settings describe; null without KAFKA_BROKERS.
 * @throws ConfigError when settings contradict each other or a file cannot be read
 */
export function readKafkaOptions(settings: KafkaSettings, clientId: string): KafkaOptions | null {
  const { KAFKA_BROKERS: brokers } = settings;
  if (brokers === undefined) return null;
  return {
    brokers,
    clientId,
    tls: readTls(settings),
    sasl: readSasl(settings),
    topicPrefix: topicPrefix(settings),
    partitions: settings.KAFKA_PARTITIONS,
    replication: settings.KAFKA_REPLICATION,
    retentionDays: settings.EVENT_RETENTION_DAYS,
  };
}

function readTls(settings: KafkaSettings): KafkaOptions['tls'] {
  const { KAFKA_TLS_CA: ca, KAFKA_TLS_CERT: cert, KAFKA_TLS_KEY: key } = settings;
  if (!settings.KAFKA_TLS) {
    if (ca ?? cert ?? key) refuseSetting('KAFKA_TLS', 'must be true when KAFKA_TLS_CA, _CERT or _KEY is set');
    return null;
  }
  return readTlsFiles('KAFKA_TLS', { ca, cert, key });
}

function readSasl(settings: KafkaSettings): KafkaOptions['sasl'] {
  const {
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
  } = settings;
  if (mechanism === undefined) {
    if (username ?? password) refuseSetting('KAFKA_SASL_MECHANISM', 'is missing');
    return null;
  }
  if (username === undefined) return refuseSetting('KAFKA_SASL_USERNAME', 'is missing');
  if (password === undefined) return refuseSetting('KAFKA_SASL_PASSWORD', 'is missing');
  // PLAIN sends the password itself.
  if (mechanism === 'plain' && !settings.KAFKA_TLS)
    refuseSetting('KAFKA_TLS', 'must be true with the mechanism plain, which sends the password unencrypted');
  return { mechanism, username, password };
}
