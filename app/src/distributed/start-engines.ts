import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { StartError } from '@shelfwise/runtime/process/start-error';

/** The engines that `npm run infra` started. */
export type StartedEngines = {
  /** MONGODB_URI, KAFKA_BROKERS and REDIS_URL */
  settings: Readonly<Record<string, string>>;
  /** Stops those that did not run before. The data of all is deleted with the last one. */
  stop(): Promise<void>;
};

/**
 * Starts Redis, Kafka and the MongoDB-compatible server on loopback. Engines that already run are used and left running.
 * @param script the path of infra.sh
 * @throws StartError when one of them cannot start
 */
export async function startEngines(script: string): Promise<StartedEngines> {
  const run = async (...words: string[]) => (await promisify(execFile)('bash', [script, ...words])).stdout;
  const started = [...(await run('status')).matchAll(/^(\w+) down$/gm)].map(([, engine]) => engine as string);
  // In a process group of its own: a Ctrl-C of the terminal must not end the engines before their callers.
  const up = spawn('bash', [script, 'up'], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(up.stdout), once(up, 'exit')]);
  const stop = async () => {
    if (started.length > 0) await run('down', ...started);
  };
  if (code !== 0) {
    await stop();
    throw new StartError(
      'The engines cannot be started: see above. Without --infra, MONGODB_URI, KAFKA_BROKERS and REDIS_URL name your own.',
    );
  }
  return { settings: readSettings(output), stop };
}

/** Lines of NAME=value. */
function readSettings(output: string): Record<string, string> {
  return Object.fromEntries(
    [...output.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
  );
}
