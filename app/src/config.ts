import { trustProxySetting } from '@shelfwise/gateway/http/trust-proxy';
import { booleanSetting, logLevelSetting, portSetting, unsupportedSetting } from '@shelfwise/runtime/config';
import { storeSettings, storeSourceSetting } from '@shelfwise/store-fetch/config';
import { trackingSettings } from '@shelfwise/tracking/config';
import { z } from 'zod';

/** What is logged where the operator did not set LOG_LEVEL. */
export const quietLevel = 'warn';

/** The settings of the all-in-one start. Every one has a default: none is needed to begin. */
export const allInOneConfig = z.object({
  PORT: portSetting.default(8080),
  SHELFWISE_DATA_DIR: z.string().default('.shelfwise'),
  SHELFWISE_DEMO_ACCOUNT: booleanSetting.optional(),
  SHELFWISE_PLANS_FILE: z.string().optional(),
  STORE_SOURCE: storeSourceSetting.default('sample'),
  ...storeSettings,
  ...trackingSettings,
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb://')
    .optional(),
  REDIS_URL: unsupportedSetting('this version keeps the rate windows in the process'),
  KAFKA_BROKERS: unsupportedSetting('this version has the embedded event bus only'),
  TRUST_PROXY: trustProxySetting,
  METRICS_PORT: portSetting.optional(),
  /** Absent: `quietLevel`, but the progress of niche analyses is told. */
  LOG_LEVEL: logLevelSetting.optional(),
});

export type AllInOneSettings = z.output<typeof allInOneConfig>;

/** The settings of the account command. */
export const accountConfig = z.object({
  SHELFWISE_DATA_DIR: allInOneConfig.shape.SHELFWISE_DATA_DIR,
  SHELFWISE_PLANS_FILE: allInOneConfig.shape.SHELFWISE_PLANS_FILE,
  MONGODB_URI: allInOneConfig.shape.MONGODB_URI,
});

export type AccountSettings = z.output<typeof accountConfig>;

/** The settings of a command that a service carries out: those of the start. */
const serviceCommandConfig = allInOneConfig.extend({
  /** Absent: whatever the running system reads; the sample where none runs. */
  STORE_SOURCE: storeSourceSetting.optional(),
});

export type ServiceCommandSettings = z.output<typeof serviceCommandConfig>;

/** The settings of the snapshot command. */
export const snapshotConfig = serviceCommandConfig.extend({
  /** host:port of a tracking service started alone */
  TRACKING_ADDRESS: z.string().optional(),
});

export type SnapshotSettings = z.output<typeof snapshotConfig>;

/** The settings of the scores command. */
export const scoresConfig = serviceCommandConfig.extend({
  /** host:port of a scoring service started alone */
  SCORING_ADDRESS: z.string().optional(),
});

export type ScoresSettings = z.output<typeof scoresConfig>;
