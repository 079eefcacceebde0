import { chartSchema } from '@shelfwise/chart/schema';
import { gatewaySchema } from '@shelfwise/gateway/schema';
import { nicheSchema } from '@shelfwise/niche/schema';
import { notifySchema } from '@shelfwise/notify/schema';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { scoringSchema } from '@shelfwise/scoring/schema';
import { storeFetchSchema } from '@shelfwise/store-fetch/schema';
import { trackingSchema } from '@shelfwise/tracking/schema';

/** The databases of the gateway and of every service. */
export const schemas: readonly DatabaseSchema[] = [
  gatewaySchema,
  trackingSchema,
  scoringSchema,
  storeFetchSchema,
  nicheSchema,
  chartSchema,
  notifySchema,
];
