import { listenAddressSetting, serviceAddressSetting } from '@shelfwise/runtime/grpc/service-address';
import { keptDaysSetting } from '@shelfwise/runtime/process/config';
import { processSettings } from '@shelfwise/runtime/service/run-service';
import { z } from 'zod';

/** The service's own database; no other service reads it. */
export const nicheDatabase = 'shelfwise_niche';

/** Settings of niche, alone or in the app. */
export const nicheSettings = {
  /** How long an account's history of analyses is kept. */
  HISTORY_RETENTION_DAYS: keptDaysSetting.default(null),
};

/** Settings of a niche service that runs alone. */
export const nicheConfig = z.object({
  ...processSettings,
  /** of the scoring service */
  SCORING_ADDRESS: serviceAddressSetting,
  /** of the store-fetch service */
  STORE_FETCH_ADDRESS: serviceAddressSetting,
  GRPC_ADDRESS: listenAddressSetting.default('127.0.0.1:50054'),
  ...nicheSettings,
});
