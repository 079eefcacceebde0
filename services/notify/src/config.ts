import { kafkaSettings } from '@shelfwise/runtime/events/kafka-settings';
import { listenAddressSetting } from '@shelfwise/runtime/grpc/service-address';
import { processSettings } from '@shelfwise/runtime/service/run-service';
import { z } from 'zod';

/** The service's own database; no other service reads it. */
export const notifyDatabase = 'shelfwise_notify';

/** Settings of the notify service when it runs in its own process. */
export const notifyConfig = z.object({
  ...processSettings,
  GRPC_ADDRESS: listenAddressSetting.default('127.0.0.1:50056'),
  ...kafkaSettings,
});
