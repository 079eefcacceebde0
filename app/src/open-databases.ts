import { chartDatabase } from '@shelfwise/chart/config';
import { startEmbedded } from '@shelfwise/embedded/start-embedded';
import { nicheDatabase } from '@shelfwise/niche/config';
import type { Logger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { Run } from '@shelfwise/runtime/process/run';
import { scoringDatabase } from '@shelfwise/scoring/config';
import { storeFetchDatabase } from '@shelfwise/store-fetch/config';
import { trackingDatabase } from '@shelfwise/tracking/config';
import type { AllInOneSettings } from './config.ts';

export type Databases = Awaited<ReturnType<typeof openDatabases>>;

/**
 * The services' databases, on the server that MONGODB_URI names or embedded; the events' is always embedded. What was
 * read from the sample catalog is kept apart from what was read from live stores, so that switching the source never
 * shows the one as the other; accounts are the same for both.
 */
export async function openDatabases(deps: {
  settings: AllInOneSettings;
  run: Run;
  logger: Logger;
  /** the entry of the embedded database's thread */
  worker: URL;
  dataDir: string;
}) {
  const { settings, run, logger, worker, dataDir } = deps;
  const engine = await startEmbedded({
    dataDir,
    worker,
    onFailure: (error) => {
      logger.fatal({ err: error }, 'the embedded database has failed');
      run.stop(1);
    },
  });
  run.onStop('embedded database', () => engine.stop());
  const uri = settings.MONGODB_URI ?? engine.mongodbUri;
  const { STORE_SOURCE: source } = settings;
  const open = async (database: string, where = uri) => {
    const connection = await connectMongo({ uri: where, database, logger });
    run.onStop(database, () => connection.close());
    return connection;
  };
  return {
    isEmbedded: settings.MONGODB_URI === undefined,
    events: await open(ofSource('shelfwise_events', source), engine.mongodbUri),
    storeFetch: await open(ofSource(storeFetchDatabase, source)),
    tracking: await open(ofSource(trackingDatabase, source)),
    scoring: await open(ofSource(scoringDatabase, source)),
    niche: await open(ofSource(nicheDatabase, source)),
    chart: await open(ofSource(chartDatabase, source)),
    /** Opens the gateway's, for whoever needs it. */
    openGateway: () => open('shelfwise_gateway'),
  };
}

/** The database that keeps what comes from one kind of source. */
export function ofSource(database: string, source: AllInOneSettings['STORE_SOURCE']): string {
  return source === 'sample' ? `${database}_sample` : database;
}
