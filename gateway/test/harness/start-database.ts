import { randomUUID } from 'node:crypto';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { Connection } from 'mongoose';
import { startDatabaseServer } from '../../../testing/start-database-server.ts';

/** A database for one test: on MONGODB_URI if that is set, otherwise on the embedded engine. */
export async function startDatabase(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const server = await startDatabaseServer();
  const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
  const address = {
    uri: server.uri,
    database: `shelfwise_gateway_${randomUUID().slice(0, 8)}`,
    logger,
    inProcess: server.inProcess,
  };
  const connection = await connectMongo(address);
  return {
    connection,
    async stop() {
      // A test may have closed it; otherwise this has no effect.
      await connection.getClient().connect();
      await connection.dropDatabase();
      await connection.close();
      await server.stop();
    },
  };
}
