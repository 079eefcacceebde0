import { kafkaSettings } from '@shelfwise/runtime/events/kafka-settings';
import { listenAddressSetting, serviceAddressSetting } from '@shelfwise/runtime/grpc/service-address';
import { keptDaysSetting } from '@shelfwise/runtime/process/config';
import { processSettings } from '@shelfwise/runtime/service/run-service';
import { z } from 'zod';

/** The service's own database; no other service reads it. */
export const scoringDatabase = 'shelfwise_scoring';

export const scoringSettings = {
  /** How long the ranks and rating counts of past days are kept, which the visibility history needs. */
  SNAPSHOT_RETENTION_DAYS: keptDaysSetting.default(null),
  /** How long an account's inspections and simulations are kept. */
  HISTORY_RETENTION_DAYS: keptDaysSetting.default(null),
};

/** Settings of a scoring service that is started alone. */
export const scoringConfig = z.object({
  ...processSettings,
  STORE_FETCH_ADDRESS: serviceAddressSetting,
  GRPC_ADDRESS: listenAddressSetting.default('127.0.0.1:50053'),
  ...scoringSettings,
  ...kafkaSettings,
});
