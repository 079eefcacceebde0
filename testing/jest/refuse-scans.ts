import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { prepareDatabase } from '@shelfwise/runtime/mongo/schema/prepare-database';
import mongoose, { type Connection } from 'mongoose';
import { type CollectedQuery, readCollectedQueries } from '../query-plans/collected-queries.ts';
import { describeScans, explainQueries } from '../query-plans/explain-queries.ts';
import type { Query } from '../query-plans/query-shapes.ts';
import { schemas } from '../query-plans/schemas.ts';
import { startDatabaseServer } from '../start-database-server.ts';

/**
 * After a run (`globalTeardown` of jest): each query that the product sent during the tests must use an index. The plans
 * are those of the server of the tests: the embedded engine, or the one at MONGODB_URI. A query that reads a whole
 * collection is printed, and the run fails.
 */
export default async function refuseScans(): Promise<void> {
  const { COLLECTED_QUERIES: folder, TEST_FOLDER: whole } = process.env;
  if (!folder || !whole) throw new Error('there is no folder: start-collecting runs before the tests');
  const collected = readCollectedQueries(folder);
  try {
    await refuse(collected);
  } finally {
    rmSync(whole, { recursive: true, force: true });
  }
}

async function refuse(collected: readonly CollectedQuery[]): Promise<void> {
  const scans: string[] = [];
  for (const [tests, readSchema] of Object.entries(schemas)) {
    const queries = collected.filter((one) => one.tests === tests).map(({ query }) => query);
    if (queries.length > 0) scans.push(...(await findScans(await readSchema(), queries)));
  }
  if (scans.length === 0) return;
  console.error(`These queries read a whole collection; add an index to its schema:\n${scans.join('\n')}`);
  // An error would keep jest from writing the results of the tests.
  process.exitCode = 1;
}

/** Explains the queries on an empty database with the collections and indexes of the schema. */
async function findScans(schema: DatabaseSchema, queries: readonly Query[]): Promise<string[]> {
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
