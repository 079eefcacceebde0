import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const script = new URL('../../deploy/infra/infra.sh', import.meta.url).pathname;

export type OwnBroker = {
  address: string;
  kill(): void;
  freeze(): void;
  thaw(): void;
  /** Stops it in an orderly way, so that it hands its partitions over first. */
  terminate(): Promise<void>;
  /** Starts all brokers again that were killed or terminated. Resolves when they accept connections. */
  restart(): Promise<void>;
};

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
    const pid = () => Number(readFileSync(pidFile, 'utf8'));
    /** The broker and what started it are one process group. */
    const signal = (name: NodeJS.Signals) => process.kill(-pid(), name);
    const ownPort = port + 2 * index;
    return {
      address: `127.0.0.1:${ownPort}`,
      kill() {
        signal('SIGKILL');
        // In a container without an init process, the killed one would count as running.
        rmSync(pidFile);
      },
      freeze: () => signal('SIGSTOP'),
      thaw: () => signal('SIGCONT'),
      async terminate() {
        signal('SIGTERM');
        while (isAlive(pid())) await sleep(50);
        rmSync(pidFile);
      },
      async restart() {
        await infra('up');
        while (!(await isOpen(ownPort))) await sleep(50);
      },
    };
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

/** False also for an ended process that its parent has not collected. */
function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
