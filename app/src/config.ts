import { dashboardSettings, edgeSettings, mcpHostsSetting } from '@shelfwise/gateway/config';
import { trustProxySetting } from '@shelfwise/gateway/http/trust-proxy';
import { nicheSettings } from '@shelfwise/niche/config';
import { notifySettings } from '@shelfwise/notify/config';
import { isDay } from '@shelfwise/runtime/day';
import { kafkaSettings } from '@shelfwise/runtime/events/kafka-settings';
import { serviceAddressSetting } from '@shelfwise/runtime/grpc/service-address';
import { grpcSettings } from '@shelfwise/runtime/grpc/tls/grpc-security';
import { databaseSettings, mongoUriSetting } from '@shelfwise/runtime/mongo/database-settings';
import {
  booleanSetting,
  integerSetting,
  logLevelSetting,
  opsSettings,
  portSetting,
} from '@shelfwise/runtime/process/config';
import { redisSettings } from '@shelfwise/runtime/redis/redis-settings';
import { tracingSettings } from '@shelfwise/runtime/tracing/tracing-settings';
import { scoringSettings } from '@shelfwise/scoring/config';
import { storeSettings, storeSourceSetting } from '@shelfwise/store-fetch/config';
import { trackingSettings } from '@shelfwise/tracking/config';
import { z } from 'zod';

/** The log level when LOG_LEVEL is not set: the terminal shows only what needs attention. */
export const quietLevel = 'warn';

/** For checks: the day of the process (`createSampleClock`). */
const sampleDaySetting = z.string().refine(isDay, 'must be a day, YYYY-MM-DD').optional();

const allInOneSettings = z.object({
  PORT: portSetting.default(8080),
  ...edgeSettings,
  ...dashboardSettings,
  SHELFWISE_DATA_DIR: z.string().default('.shelfwise'),
  /** Absent: see `hasDemoAccount`. */
  SHELFWISE_DEMO_ACCOUNT: booleanSetting.optional(),
  SHELFWISE_PLANS_FILE: z.string().optional(),
  STORE_SOURCE: storeSourceSetting.default('sample'),
  SAMPLE_DAY: sampleDaySetting,
  ...storeSettings,
  ...trackingSettings,
  ...scoringSettings,
  ...nicheSettings,
  ...notifySettings,
  ...kafkaSettings,
  /** The reserve of the embedded database, in MiB: below it, nothing is stored that can wait. */
  MIN_FREE_DISK_MB: integerSetting(0, 1_000_000).default(256),
  MONGODB_URI: mongoUriSetting.optional(),
  ...databaseSettings,
  ...redisSettings,
  TRUST_PROXY: trustProxySetting,
  MCP_HOSTS: mcpHostsSetting,
  ...opsSettings,
  ...tracingSettings,
  /** Absent: `quietLevel`, except for the progress of niche analyses. */
  LOG_LEVEL: logLevelSetting.optional(),
});

/** The settings of the all-in-one start. Each is optional. */
export const allInOneConfig = allInOneSettings
  // With port 0 the system chooses different ports.
  .refine(({ PORT, METRICS_PORT }) => METRICS_PORT !== PORT || PORT === 0, {
    path: ['METRICS_PORT'],
    error: 'must differ from PORT',
  })
  .refine(({ SAMPLE_DAY, STORE_SOURCE }) => SAMPLE_DAY === undefined || STORE_SOURCE === 'sample', {
    path: ['SAMPLE_DAY'],
    error: 'is only for STORE_SOURCE=sample: a store shows today',
  });

export type AllInOneSettings = z.output<typeof allInOneConfig>;

/** The settings of the account command. */
export const accountConfig = z.object({
  PORT: allInOneConfig.shape.PORT,
  ...dashboardSettings,
  SHELFWISE_DATA_DIR: allInOneConfig.shape.SHELFWISE_DATA_DIR,
  SHELFWISE_PLANS_FILE: allInOneConfig.shape.SHELFWISE_PLANS_FILE,
  MONGODB_URI: allInOneConfig.shape.MONGODB_URI,
  ...databaseSettings,
  ...redisSettings,
});

export type AccountSettings = z.output<typeof accountConfig>;

/** The settings of the migrate command. */
export const migrateConfig = z.object({
  MONGODB_URI: mongoUriSetting,
  ...databaseSettings,
});

export type MigrateSettings = z.output<typeof migrateConfig>;

/** The settings of the events command. */
export const eventsConfig = z.object({
  SHELFWISE_DATA_DIR: allInOneConfig.shape.SHELFWISE_DATA_DIR,
  MONGODB_URI: allInOneConfig.shape.MONGODB_URI,
  STORE_SOURCE: allInOneConfig.shape.STORE_SOURCE,
  ...databaseSettings,
  ...kafkaSettings,
});

export type EventsSettings = z.output<typeof eventsConfig>;

/** The settings of the backup command. */
export const backupConfig = allInOneSettings.pick({ SHELFWISE_DATA_DIR: true, MONGODB_URI: true });

export type BackupSettings = z.output<typeof backupConfig>;

/** The settings of a command that calls a service. Those of the start are only compared with the running system. */
const serviceCommandConfig = allInOneSettings
  .pick({ SHELFWISE_DATA_DIR: true, MONGODB_URI: true, MONGODB_PREFIX: true })
  .extend({
    STORE_SOURCE: storeSourceSetting.optional(),
    SAMPLE_DAY: sampleDaySetting,
    /** How a service that runs alone is called. */
    ...grpcSettings,
  });

export type ServiceCommandSettings = z.output<typeof serviceCommandConfig>;

/** The settings of the snapshot command. */
export const snapshotConfig = serviceCommandConfig.extend({
  /** of a tracking service that runs alone */
  TRACKING_ADDRESS: serviceAddressSetting.optional(),
});

/** The settings of the scores command. */
export const scoresConfig = serviceCommandConfig.extend({
  /** of a scoring service that runs alone */
  SCORING_ADDRESS: serviceAddressSetting.optional(),
});

export type ScoresSettings = z.output<typeof scoresConfig>;

/** The settings that `npm run start:distributed` itself reads. Each process reads its own. */
export const distributedConfig = z.object({
  PORT: portSetting.default(8080),
  HOST: edgeSettings.HOST,
  METRICS_PORT: opsSettings.METRICS_PORT,
  MONGODB_URI: z
    .string()
    .default('')
    .refine((uri) => uri !== '', 'is missing: name a MongoDB server, or use --infra')
    .pipe(mongoUriSetting),
  KAFKA_BROKERS: z.string().optional(),
  REDIS_URL: z.string().optional(),
  GRPC_SECRET: grpcSettings.GRPC_SECRET,
  SECRETS_KEY: notifySettings.SECRETS_KEY,
  SHELFWISE_DATA_DIR: allInOneConfig.shape.SHELFWISE_DATA_DIR,
});

export type DistributedSettings = z.output<typeof distributedConfig>;
