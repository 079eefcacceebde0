import type { Connection } from 'mongoose';
import { takeDatabase } from '../../../testing/database-pool.ts';
import { gatewaySchema } from '../../src/schema.ts';

/** A database of the gateway, empty: on MONGODB_URI if that is set, otherwise on the embedded engine. */
export async function startDatabase(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const { connection, release } = await takeDatabase(gatewaySchema);
  return { connection, stop: release };
}
