import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import mongoose from 'mongoose';
import { type Faults, startFaultProxy } from '../../testing/fault-proxy.ts';
import { createEngineProcess, type EngineProcess } from '../lib/engine-process.ts';

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

const script = fileURLToPath(new URL('../../deploy/infra/infra.sh', import.meta.url));

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
  const infra = (command: string) =>
    promisify(execFile)('bash', [script, command, '--dir', join(dir, 'engines'), 'redis', 'kafka'], {
      env: { ...process.env, REDIS_PORT: String(port), KAFKA_PORT: String(port + 1) },
    });
  const startAgain = () => infra('up');
  const engineProcess = (name: string, itsPort: number) =>
    createEngineProcess({ pidFile: join(dir, 'engines', `${name}.pid`), port: itsPort, startAgain });
  const stopStarted = async () => {
    await infra('down');
    rmSync(dir, { recursive: true, force: true });
  };
  onStart(stopStarted);
  await infra('up').catch(async (error: unknown) => {
    await stopStarted();
    throw error;
  });
  const proxy = forkProgram('redis-proxy.ts', String(port));
  const [proxyPort] = (await once(proxy, 'message')) as [number];
  const database =
    mongodbUri === undefined
      ? await startDatabaseProcess(join(dir, 'database'))
      : await proxyDatabase(mongodbUri);
  const stop = async () => {
    if (proxy.connected) proxy.disconnect();
    await database.stop();
    await stopStarted();
  };
  onStart(stop);
  return {
    redis: {
      ...engineProcess('redis', port),
      port,
      setFaults: (faults) => void proxy.send(faults),
      empty: () => rmSync(join(dir, 'engines', 'redis-data'), { recursive: true, force: true }),
    },
    kafka: engineProcess('kafka', port + 1),
    database,
    settings: {
      REDIS_URL: `redis://127.0.0.1:${proxyPort}`,
      KAFKA_BROKERS: `127.0.0.1:${port + 1}`,
      MONGODB_URI: database.uri,
    },
    stop,
  };
}

function forkProgram(file: string, argument: string): ChildProcess {
  const program = fileURLToPath(new URL(file, import.meta.url));
  return fork(program, [argument], { execArgv: ['--import', 'tsx', '--conditions=source'] });
}

type OwnDatabase = Engines['database'] & { stop(): Promise<void> };

async function startDatabaseProcess(dataDir: string): Promise<OwnDatabase> {
  let uri = '';
  const start = async () => {
    const started = forkProgram('embedded-database.ts', dataDir);
    [uri] = (await once(started, 'message')) as [string];
    started.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL' && !isStopping) console.error(`the database ended: ${code ?? signal}`);
    });
    return started;
  };
  let isStopping = false;
  let child = await start();
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  return {
    uri,
    isMongod: false,
    kill: end,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async restart() {
      child = await start();
    },
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

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
