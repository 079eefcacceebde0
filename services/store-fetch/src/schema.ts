import { createSourceGuard } from '@shelfwise/facts/source-guard';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { createLeaseModel } from '@shelfwise/runtime/mongo/lease';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { createBucketModel } from './budget/buckets.ts';
import { storeFetchDatabase } from './config.ts';
import { createAutocompleteStore } from './stores/autocomplete-store.ts';
import { createDoubtedStorefrontStore } from './stores/doubted-storefront-store.ts';
import { createIconAddressStore } from './stores/icon-address-store.ts';
import { createSearchTermStore } from './stores/search-term-store.ts';
import { createStoreStateStore } from './stores/store-state-store.ts';

/** What this version expects of the database of store-fetch. */
export const storeFetchSchema: DatabaseSchema = {
  database: storeFetchDatabase,
  createModels(connection) {
    createAutocompleteStore(connection, createCounterStore(connection));
    createSourceGuard({ connection });
    // Only a live source uses these.
    createBucketModel(connection);
    createSearchTermStore(connection);
    createDoubtedStorefrontStore(connection);
    createIconAddressStore(connection);
    void createStoreStateStore(connection);
    createLeaseModel(connection);
  },
  migrations: [],
};
