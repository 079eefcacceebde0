import { createAppliedEvents } from '@shelfwise/runtime/events/applied-events';
import { createLeaseModel } from '@shelfwise/runtime/mongo/lease';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { scoringDatabase } from './config.ts';
import { createStores } from './create-stores.ts';
import { packPages } from './pack-pages.ts';
import { showPublicPages } from './show-public-pages.ts';

/** What this version expects of the database of scoring. */
export const scoringSchema: DatabaseSchema = {
  database: scoringDatabase,
  createModels(connection) {
    createStores(connection);
    createAppliedEvents(connection);
    createLeaseModel(connection);
  },
  migrations: [packPages, showPublicPages],
};
