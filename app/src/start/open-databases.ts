import { chartSchema } from '@shelfwise/chart/schema';
import { connectDirectly } from '@shelfwise/embedded/direct/connect-directly';
import { gatewaySchema } from '@shelfwise/gateway/schema';
import { nicheSchema } from '@shelfwise/niche/schema';
import { notifySchema } from '@shelfwise/notify/schema';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { databaseName } from '@shelfwise/runtime/mongo/database-settings';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { prepareDatabase } from '@shelfwise/runtime/mongo/schema/prepare-database';
import { refuseOtherSchema } from '@shelfwise/runtime/mongo/schema/schema-status';
import type { Run } from '@shelfwise/runtime/process/run';
import { scoringSchema } from '@shelfwise/scoring/schema';
import { storeFetchSchema } from '@shelfwise/store-fetch/schema';
import { trackingSchema } from '@shelfwise/tracking/schema';
import type { AllInOneSettings } from '../config.ts';
import { openEmbedded } from '../data-folder/open-embedded.ts';

type OpenedSchema = Pick<DatabaseSchema, 'database' | 'migrations'>;

/** The embedded event bus creates its own collections. */
export const eventsSchema: OpenedSchema = { database: 'shelfwise_events', migrations: [] };

export type Databases = Awaited<ReturnType<typeof openDatabases>>;

/**
 * Opens the databases of the services, on the server of MONGODB_URI or embedded, and that of the embedded event bus
 * unless KAFKA_BROKERS is set. Sample and live data are stored separately, so that switching the source never shows one
 * as the other; accounts are shared.
 * @throws StartError when the embedded database cannot be opened, or another version of Shelfwise made one of them;
 * nothing is written then
 */
export async function openDatabases(deps: {
  settings: AllInOneSettings;
  run: Run;
  logger: Logger;
  /** the entry file of the embedded database's thread */
  worker: URL;
  dataDir: string;
}) {
  const { settings, run, logger, worker, dataDir } = deps;
  const { MONGODB_URI: serverUri, KAFKA_BROKERS: brokers } = settings;
  const openEngine = async () => {
    const engine = await openEmbedded({ dataDir, worker, onFailure: run.fail });
    run.onStop('embedded database', () => engine.stop());
    return { uri: engine.mongodbUri, inProcess: connectDirectly(engine.link) };
  };
  const external = serverUri === undefined ? null : { uri: serverUri };
  const embedded = external === null || brokers === undefined ? await openEngine() : external;
  const { STORE_SOURCE: source, MONGODB_PREFIX: prefix } = settings;
  const open = async (
    schema: OpenedSchema,
    name = databaseOfSource(schema.database, source),
    server = external ?? embedded,
  ) => {
    const database = databaseName(prefix, name);
    const connection = await connectMongo({ ...server, database, logger });
    run.onStop(database, () => connection.close());
    // Every database is checked before a service changes the first one.
    await refuseOtherSchema(connection, schema);
    return connection;
  };
  /** Null on Kafka. */
  const events =
    brokers === undefined
      ? await open(eventsSchema, databaseOfSource(eventsSchema.database, source), embedded)
      : null;
  const databases = {
    storeFetch: await open(storeFetchSchema),
    tracking: await open(trackingSchema),
    scoring: await open(scoringSchema),
    niche: await open(nicheSchema),
    chart: await open(chartSchema),
    notify: await open(notifySchema),
    gateway: await open(gatewaySchema, gatewaySchema.database),
  };
  // Each service prepares its own database.
  if (events) await prepareDatabase(events, eventsSchema);
  return { ...databases, events, isEmbedded: serverUri === undefined };
}

/** The name of a database for the data of one store source: live data has the plain name. */
export function databaseOfSource(database: string, source: AllInOneSettings['STORE_SOURCE']): string {
  return source === 'sample' ? `${database}_sample` : database;
}
