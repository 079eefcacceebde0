import { requireFromDriver } from './require-from-driver.ts';

/** The parts of the driver's pool that are used here. They are internal: the test tells when they change. */
type Pool = {
  readonly options: { readonly minPoolSize: number; readonly maxIdleTimeMS: number };
  ensureMinPoolSize(): void;
};

/**
 * A pool of the driver wakes the process ten times a second to look whether it has its minimum of connections, and closes those that are
 * idle for too long, also when the address asks for neither. It has no public option for it. Such a pool no longer does: it drops
 * closed connections when one is needed.
 */
export function stopTimersOfPools(): void {
  const { ConnectionPool } = requireFromDriver('cmap/connection_pool') as {
    ConnectionPool: { prototype: Pool };
  };
  const { ensureMinPoolSize } = ConnectionPool.prototype;
  ConnectionPool.prototype.ensureMinPoolSize = function ensureMinimum(this: Pool) {
    const { minPoolSize, maxIdleTimeMS } = this.options;
    if (minPoolSize > 0 || maxIdleTimeMS > 0) ensureMinPoolSize.call(this);
  };
}
