import { chartDatabase } from '@shelfwise/chart/config';
import { nicheDatabase } from '@shelfwise/niche/config';
import type { Logger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { prepareDatabase, refuseOtherLayout } from '@shelfwise/runtime/mongo/prepare-database';
import type { Run } from '@shelfwise/runtime/process/run';
import { scoringDatabase } from '@shelfwise/scoring/config';
import { storeFetchDatabase } from '@shelfwise/store-fetch/config';
import { trackingDatabase } from '@shelfwise/tracking/config';
import type { AllInOneSettings } from '../config.ts';
import { openEmbedded } from '../data-folder/open-embedded.ts';

export type Databases = Awaited<ReturnType<typeof openDatabases>>;

/**
 * Opens the databases of the services, on the server of MONGODB_URI or embedded. The database of events is always
 * embedded, because this version has only the embedded event bus. Sample and live data are stored separately, so that
 * switching the source never shows one as the other; accounts are shared.
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
  const engine = await openEmbedded({ dataDir, worker, onFailure: run.fail });
  run.onStop('embedded database', () => engine.stop());
  const uri = settings.MONGODB_URI ?? engine.mongodbUri;
  const { STORE_SOURCE: source } = settings;
  const open = async (database: string, serverUri = uri) => {
    const connection = await connectMongo({ uri: serverUri, database, logger });
    run.onStop(database, () => connection.close());
    return connection;
  };
  const databases = {
    events: await open(databaseOfSource('shelfwise_events', source), engine.mongodbUri),
    storeFetch: await open(databaseOfSource(storeFetchDatabase, source)),
    tracking: await open(databaseOfSource(trackingDatabase, source)),
    scoring: await open(databaseOfSource(scoringDatabase, source)),
    niche: await open(databaseOfSource(nicheDatabase, source)),
    chart: await open(databaseOfSource(chartDatabase, source)),
    gateway: await open('shelfwise_gateway'),
  };
  for (const connection of Object.values(databases)) await refuseOtherLayout(connection);
  // Each service prepares its own database; the embedded event bus has no models.
  await prepareDatabase(databases.events);
  return { ...databases, isEmbedded: settings.MONGODB_URI === undefined };
}

/** The name of a database for the data of one store source: live data has the plain name. */
export function databaseOfSource(database: string, source: AllInOneSettings['STORE_SOURCE']): string {
  return source === 'sample' ? `${database}_sample` : database;
}
