import { createAppliedEvents } from '@shelfwise/runtime/events/applied-events';
import { createLeaseModel } from '@shelfwise/runtime/mongo/lease';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { trackingDatabase } from './config.ts';
import { createStores } from './create-dependencies.ts';
import { publishWhatIsTracked } from './publish-what-is-tracked.ts';

/** What this version expects of the database of tracking. */
export const trackingSchema: DatabaseSchema = {
  database: trackingDatabase,
  createModels(connection) {
    createStores(connection);
    createAppliedEvents(connection);
    createLeaseModel(connection);
  },
  migrations: [
    // Changes nothing: older versions, which cannot read packed months, must not start on them.
    { id: '2026-11-28-months-of-snapshots', run: async () => {} },
    publishWhatIsTracked,
  ],
};
