import { createAppliedEvents } from '@shelfwise/runtime/events/applied-events';
import { createLeaseModel } from '@shelfwise/runtime/mongo/lease';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { chartDatabase } from './config.ts';
import { createStores } from './create-dependencies.ts';

/** What this version expects of the database of chart. */
export const chartSchema: DatabaseSchema = {
  database: chartDatabase,
  createModels(connection) {
    createStores(connection);
    createAppliedEvents(connection);
    createLeaseModel(connection);
  },
  migrations: [],
};
