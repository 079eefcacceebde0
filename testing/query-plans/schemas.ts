import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';

/** The schema of the database that tests use, by their folder. */
export const schemas: Readonly<Record<string, () => Promise<DatabaseSchema>>> = {
  'services/tracking': async () => (await import('@shelfwise/tracking/schema')).trackingSchema,
  'services/scoring': async () => (await import('@shelfwise/scoring/schema')).scoringSchema,
  'services/niche': async () => (await import('@shelfwise/niche/schema')).nicheSchema,
  'services/chart': async () => (await import('@shelfwise/chart/schema')).chartSchema,
  'services/notify': async () => (await import('@shelfwise/notify/schema')).notifySchema,
  'services/store-fetch': async () => (await import('@shelfwise/store-fetch/schema')).storeFetchSchema,
  gateway: async () => (await import('@shelfwise/gateway/schema')).gatewaySchema,
};
