import { booleanSetting, logLevelSetting, portSetting } from '@shelfwise/runtime/config';
import { z } from 'zod';

/** The service's own database; no other service reads it. */
export const chartDatabase = 'shelfwise_chart';

/** Settings of a chart service started alone. */
export const chartConfig = z.object({
  MONGODB_URI: z.string(),
  /** host:port of the store-fetch service */
  STORE_FETCH_ADDRESS: z.string(),
  /** Whether requested charts are read again every day by themselves. */
  DAILY_RUN: booleanSetting.default(true),
  GRPC_ADDRESS: z.string().default('127.0.0.1:50055'),
  METRICS_PORT: portSetting.optional(),
  LOG_LEVEL: logLevelSetting.default('info'),
});
