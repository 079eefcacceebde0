import { randomUUID } from 'node:crypto';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/database-schema';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import mongoose, { type Connection } from 'mongoose';
import { startDatabaseServer } from '../start-database-server.ts';
import { describeScans, explainQueries } from './explain-queries.ts';
import type { Query } from './query-shapes.ts';
import { watchQueries } from './watch-queries.ts';

/*
 * Runs before every test file of the services and the gateway (`setupFilesAfterEnv` of jest): each query that the product
 * sends during these tests must use an index. The plans are those of the server of the tests: the embedded engine, or
 * the one at MONGODB_URI.
 */

/** By the folder of the tests. */
const schemas: Readonly<Record<string, () => Promise<DatabaseSchema>>> = {
  'services/tracking': async () => (await import('@shelfwise/tracking/schema')).trackingSchema,
  'services/scoring': async () => (await import('@shelfwise/scoring/schema')).scoringSchema,
  'services/niche': async () => (await import('@shelfwise/niche/schema')).nicheSchema,
  'services/chart': async () => (await import('@shelfwise/chart/schema')).chartSchema,
  'services/store-fetch': async () => (await import('@shelfwise/store-fetch/schema')).storeFetchSchema,
  gateway: async () => (await import('@shelfwise/gateway/schema')).gatewaySchema,
};

/** On a busy machine. */
const explainMs = 60_000;

const path = expect.getState().testPath ?? '';
const [, readSchema] = Object.entries(schemas).find(([folder]) => path.includes(`/${folder}/`)) ?? [];
if (readSchema) {
  const watched = watchQueries();
  afterAll(async () => {
    if (watched.queries.size === 0) return;
    const scans = await findScans(await readSchema(), [...watched.queries.values()]);
    if (scans.length > 0)
      throw new Error(
        `These queries read a whole collection; add an index to its schema:\n${scans.join('\n')}`,
      );
  }, explainMs);
}

/** Explains the queries on an empty database with the collections and indexes of the schema. */
async function findScans(schema: DatabaseSchema, queries: readonly Query[]): Promise<string[]> {
  // That of the tests may have been stopped.
  const server = await startDatabaseServer();
  const dbName = `plans_${randomUUID().slice(0, 18)}`;
  const connection = await mongoose
    .createConnection(server.uri, { dbName, autoIndex: false, autoCreate: false })
    .asPromise();
  try {
    // Its plans name no indexes.
    if (await isFerret(connection)) return [];
    schema.createModels(connection);
    await prepareDatabase(connection);
    for (const { collection } of Object.values(connection.models))
      await connection.createCollection(collection.name).catch(ignoreExisting);
    return describeScans(await explainQueries(connection, queries));
  } finally {
    await connection.dropDatabase();
    await connection.close();
    await server.stop();
  }
}

function ignoreExisting(error: unknown): void {
  if ((error as { code?: unknown }).code !== 48) throw error;
}

async function isFerret(connection: Connection): Promise<boolean> {
  const info = await connection.db?.command({ buildInfo: 1 });
  return JSON.stringify(Object.keys(info ?? {})).includes('ferret');
}
