import { createAppliedEvents } from '@shelfwise/runtime/events/applied-events';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { notifyDatabase } from './config.ts';
import { createStores } from './create-stores.ts';

/** What this version expects of the database of notify. */
export const notifySchema: DatabaseSchema = {
  database: notifyDatabase,
  createModels(connection) {
    createStores(connection);
    createAppliedEvents(connection);
  },
  migrations: [],
};
