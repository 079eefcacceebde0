import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { createLogger, type Logger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo';
import type { Connection } from 'mongoose';

/** A database of a test's own: on MONGODB_URI when that is set, else on the embedded engine. */
export async function startDatabase(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const given = process.env.MONGODB_URI;
  const dataDir = await mkdtemp(join(tmpdir(), 'shelfwise-gateway-'));
  const engine = given ? { mongodbUri: given, stop: async () => {} } : await startEngine({ dataDir });
  const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
  const database = `shelfwise_gateway_${randomUUID().slice(0, 8)}`;
  const connection = await connectMongo({ uri: engine.mongodbUri, database, logger });
  return {
    connection,
    async stop() {
      await connection.close();
      if (given) await dropDatabase(given, database, logger);
      await engine.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Over a connection of its own: a test may have closed the other one. */
async function dropDatabase(uri: string, database: string, logger: Logger): Promise<void> {
  const connection = await connectMongo({ uri, database, logger });
  await connection.dropDatabase();
  await connection.close();
}
