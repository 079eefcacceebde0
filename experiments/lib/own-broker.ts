import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createEngineProcess, type EngineProcess } from './engine-process.ts';

const script = new URL('../../deploy/without-docker/engines/infra.sh', import.meta.url).pathname;

/** `terminate` hands its partitions over first; `restart` starts all brokers that were killed or terminated. */
export type OwnBroker = EngineProcess & { address: string };

/** A broker of its own, which can be killed and frozen. `properties` are its further ones, lines of `name=value`. */
export async function startBroker(port: number, properties = '') {
  const { brokers, runTool, stop } = await startBrokers(port, 1, properties);
  return { ...(brokers[0] as OwnBroker), runTool, stop };
}

/** A cluster of its own, whose brokers can be killed and frozen one by one. */
export async function startBrokers(port: number, count: number, properties = '') {
  const dir = mkdtempSync(join(tmpdir(), 'broker-'));
  const propertiesFile = join(dir, 'more.properties');
  writeFileSync(propertiesFile, properties);
  const infra = (command: string) =>
    promisify(execFile)('bash', [script, command, '--dir', dir, '--brokers', String(count), 'kafka'], {
      env: { ...process.env, KAFKA_PORT: String(port), KAFKA_PROPERTIES: propertiesFile },
    });
  const brokers = Array.from({ length: count }, (_, index): OwnBroker => {
    const pidFile = join(dir, `kafka${index === 0 ? '' : index + 1}.pid`);
    const ownPort = port + 2 * index;
    const broker = createEngineProcess({ pidFile, port: ownPort, startAgain: () => infra('up') });
    return { ...broker, address: `127.0.0.1:${ownPort}` };
  });
  await infra('up');
  return {
    brokers,
    /** Runs a tool of Kafka in a JVM of its own. */
    async runTool(mainClass: string, args: readonly string[]) {
      const pid = readFileSync(join(dir, 'kafka.pid'), 'utf8').trim();
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const classPath = command[command.indexOf('-cp') + 1] ?? '';
      await promisify(execFile)('java', ['-cp', classPath, mainClass, ...args]);
    },
    async stop() {
      spawnSync('bash', [script, 'down', '--dir', dir, 'kafka']);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
