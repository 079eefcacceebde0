import {
  integerSetting,
  logLevelSetting,
  portSetting,
  unsupportedSetting,
  urlSetting,
} from '@shelfwise/runtime/config';
import { z } from 'zod';

const laterRelease = 'this version does not know it yet';

/** The settings of the stores, which the all-in-one start shares. */
export const storeSettings = {
  /** How long one answer of a store may take, headers and body. */
  STORE_TIMEOUT_MS: integerSetting(100, 30_000).default(8000),
  /** Where App Store search and look-up are asked. */
  STORE_ITUNES_URL: urlSetting.default('https://itunes.apple.com'),
  STORE_ITUNES_HINTS_URL: unsupportedSetting(laterRelease),
  STORE_APPS_URL: unsupportedSetting(laterRelease),
  STORE_PLAY_URL: unsupportedSetting('this version reads the App Store only'),
  STORE_PROXIES: unsupportedSetting(laterRelease),
  STORE_ITUNES_PER_MINUTE: unsupportedSetting(laterRelease),
  STORE_ITUNES_HINTS_PER_MINUTE: unsupportedSetting(laterRelease),
  STORE_ITUNES_PAGES_PER_MINUTE: unsupportedSetting(laterRelease),
  STORE_PLAY_PER_MINUTE: unsupportedSetting(laterRelease),
};

export const storeSourceSetting = z.enum(
  ['sample', 'live'],
  'must be sample (a fictional catalogue) or live (the stores themselves)',
);

/** Settings of a store-fetch service started alone. */
export const storeFetchConfig = z.object({
  STORE_SOURCE: storeSourceSetting,
  ...storeSettings,
  GRPC_ADDRESS: z.string().default('127.0.0.1:50052'),
  METRICS_PORT: portSetting.optional(),
  LOG_LEVEL: logLevelSetting.default('info'),
});
