import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { nicheDatabase } from './config.ts';
import { createStores } from './create-dependencies.ts';

/** What this version expects of the database of niche. */
export const nicheSchema: DatabaseSchema = {
  database: nicheDatabase,
  createModels: createStores,
  migrations: [],
};
