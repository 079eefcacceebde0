import { randomUUID } from 'node:crypto';
import { createLogger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { Connection } from 'mongoose';
import { startDatabaseServer } from '../../../testing/start-database-server.ts';

/** A database for one test: on MONGODB_URI if that is set, otherwise on the embedded engine. */
export async function startDatabase(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const server = await startDatabaseServer();
  const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
  const address = { uri: server.uri, database: `shelfwise_gateway_${randomUUID().slice(0, 8)}`, logger };
  const connection = await connectMongo(address);
  return {
    connection,
    async stop() {
      await connection.close();
      await dropDatabase(address);
      await server.stop();
    },
  };
}

/** Uses its own connection, because a test may have closed the other one. */
async function dropDatabase(address: Parameters<typeof connectMongo>[0]): Promise<void> {
  const connection = await connectMongo(address);
  await connection.dropDatabase();
  await connection.close();
}
