import { clearModels, type Models } from './models.ts';
import { openStore, type Store, type Way } from './open-store.ts';

/**
 * Describes a suite once for each way to reach an embedded engine, or once on the server of MONGODB_URI. Each has a new
 * database with the models of the suite, which are empty before each test.
 */
export function describeStore(suite: (store: Store, models: Models) => void): void {
  const ways: readonly Way[] = process.env.MONGODB_URI ? ['socket'] : ['socket', 'direct', 'thread'];
  describe.each(ways)('%s', (way) => {
    const store = openStore(way);
    beforeEach(() => clearModels(store.models));
    suite(store, store.models);
  });
}
