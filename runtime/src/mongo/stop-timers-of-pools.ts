import { createRequire } from 'node:module';

/** The parts of the driver's pool that are used here. They are internal: the test tells when they change. */
type Pool = { readonly options: { readonly minPoolSize: number }; ensureMinPoolSize(): void };

/**
 * A pool of the driver wakes the process ten times a second to look whether it has its minimum of connections, also when that is none, and
 * has no public option for it. Pools without a minimum no longer do: they drop closed connections when one is needed.
 */
export function stopTimersOfPools(): void {
  const requireByMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const { ConnectionPool } = requireByMongoose('mongodb/lib/cmap/connection_pool') as {
    ConnectionPool: { prototype: Pool };
  };
  const { ensureMinPoolSize } = ConnectionPool.prototype;
  ConnectionPool.prototype.ensureMinPoolSize = function ensureMinimum(this: Pool) {
    if (this.options.minPoolSize > 0) ensureMinPoolSize.call(this);
  };
}
