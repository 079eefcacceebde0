import { kafkaSettings } from '@shelfwise/runtime/events/kafka-settings';
import { listenAddressSetting, serviceAddressSetting } from '@shelfwise/runtime/grpc/service-address';
import { booleanSetting, keptDaysSetting } from '@shelfwise/runtime/process/config';
import { processSettings } from '@shelfwise/runtime/service/run-service';
import { z } from 'zod';

/** The service's own database. No other service reads it. */
export const trackingDatabase = 'shelfwise_tracking';

/** Settings of tracking, alone or in the app. */
export const trackingSettings = {
  /** Whether this copy takes part in the daily run. */
  DAILY_RUN: booleanSetting.default(true),
  /** How long the result pages of past days are kept. */
  SNAPSHOT_RETENTION_DAYS: keptDaysSetting.default(null),
};

/** Settings of a tracking service that runs alone. */
export const trackingConfig = z.object({
  ...processSettings,
  /** of the store-fetch service */
  STORE_FETCH_ADDRESS: serviceAddressSetting,
  GRPC_ADDRESS: listenAddressSetting.default('127.0.0.1:50051'),
  ...trackingSettings,
  ...kafkaSettings,
});
