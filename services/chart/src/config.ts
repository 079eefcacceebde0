import { kafkaSettings } from '@shelfwise/runtime/events/kafka-settings';
import { listenAddressSetting, serviceAddressSetting } from '@shelfwise/runtime/grpc/service-address';
import { booleanSetting, keptDaysSetting } from '@shelfwise/runtime/process/config';
import { processSettings } from '@shelfwise/runtime/service/run-service';
import { z } from 'zod';

/** The service's own database; no other service reads it. */
export const chartDatabase = 'shelfwise_chart';

/** Settings of the chart service when it runs in its own process. */
export const chartConfig = z.object({
  ...processSettings,
  /** of the store-fetch service */
  STORE_FETCH_ADDRESS: serviceAddressSetting,
  /** Whether this copy takes part in the daily run. */
  DAILY_RUN: booleanSetting.default(true),
  SNAPSHOT_RETENTION_DAYS: keptDaysSetting.default(null),
  GRPC_ADDRESS: listenAddressSetting.default('127.0.0.1:50055'),
  ...kafkaSettings,
});
