import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { type Faults, startFaultProxy } from '../../testing/fault-proxy.ts';
import { startDatabaseProcess } from '../lib/database-process.ts';
import { createEngineProcess, type EngineProcess } from '../lib/engine-process.ts';
import { firstMessage, forkProgram } from '../lib/fork-program.ts';
import { createInfra } from '../lib/infra.ts';

/** The engine can be killed, frozen and started again. */
export type Engine = Pick<EngineProcess, 'kill' | 'freeze' | 'thaw' | 'restart'>;

export type Engines = {
  redis: Engine & {
    port: number;
    /** Deletes its data while it does not run. */
    empty(): void;
    /** Slows down and resets the connections to it. */
    setFaults(faults: Partial<Faults>): void;
  };
  kafka: Engine;
  database: Engine & {
    uri: string;
    /** Whether the latencies of users under its faults say something about MongoDB. */
    isMongod: boolean;
  };
  settings: { REDIS_URL: string; KAFKA_BROKERS: string; MONGODB_URI: string };
  stop(): Promise<void>;
};

/**
 * Redis behind a proxy, Kafka and a database, all of them for this experiment alone.
 * @param options.port of Redis; Kafka has the next ports
 * @param options.mongodbUri a MongoDB server on this machine, whose faults are those of a proxy before it; without it the embedded
 *   database in a process of its own
 */
export async function startEngines(options: {
  port: number;
  mongodbUri?: string | undefined;
  /** Gets what stops the engines that run by then, for an end in between. */
  onStart(stop: () => Promise<void>): void;
}): Promise<Engines> {
  const { port, mongodbUri, onStart } = options;
  const dir = mkdtempSync(join(tmpdir(), 'shelfwise-faults-'));
  const ports = { redis: port, kafka: port + 1 };
  const infra = createInfra(join(dir, 'engines'), ports);
  const engineProcess = (name: keyof typeof ports) =>
    createEngineProcess({ pidFile: infra.pidFile(name), port: ports[name], startAgain: infra.up });
  const stopStarted = async () => {
    await infra.down();
    rmSync(dir, { recursive: true, force: true });
  };
  onStart(stopStarted);
  await infra.up().catch(async (error: unknown) => {
    await stopStarted();
    throw error;
  });
  const proxy = forkProgram(new URL('redis-proxy.ts', import.meta.url), String(port));
  const proxyPort = await firstMessage<number>(proxy);
  const database =
    mongodbUri === undefined
      ? { ...(await startDatabaseProcess(join(dir, 'database'))), isMongod: false }
      : await proxyDatabase(mongodbUri);
  const stop = async () => {
    if (proxy.connected) proxy.disconnect();
    await database.stop();
    await stopStarted();
  };
  onStart(stop);
  return {
    redis: {
      ...engineProcess('redis'),
      port,
      setFaults: (faults) => void proxy.send(faults),
      empty: () => rmSync(join(dir, 'engines', 'redis-data'), { recursive: true, force: true }),
    },
    kafka: engineProcess('kafka'),
    database,
    settings: {
      ...infra.settings,
      REDIS_URL: `redis://127.0.0.1:${proxyPort}`,
      MONGODB_URI: database.uri,
    },
    stop,
  };
}

type OwnDatabase = Engines['database'] & { stop(): Promise<void> };

/** Calls that are on their way at a kill are lost, and the server is away until `restart`. */
async function proxyDatabase(mongodbUri: string): Promise<OwnDatabase> {
  const url = new URL(mongodbUri);
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port || 27017) });
  url.host = `127.0.0.1:${proxy.port}`;
  // Otherwise the driver would go on to the address that the server gives as its own.
  url.searchParams.set('directConnection', 'true');
  return {
    uri: String(url),
    isMongod: await isMongod(mongodbUri),
    kill() {
      proxy.faults.isRefusing = true;
      proxy.resetAll();
    },
    freeze() {
      proxy.faults.isFrozen = true;
    },
    thaw: proxy.thaw,
    async restart() {
      proxy.faults.isRefusing = false;
    },
    stop: proxy.stop,
  };
}

async function isMongod(mongodbUri: string): Promise<boolean> {
  const connection = await mongoose.createConnection(mongodbUri).asPromise();
  const info = await connection.db?.admin().buildInfo();
  await connection.close();
  return info?.ferretdb === undefined && info?.ferretdbVersion === undefined;
}
