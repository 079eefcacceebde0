import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const script = new URL('../../deploy/infra/infra.sh', import.meta.url).pathname;

/**
 * A broker of its own, which can be killed and frozen.
 * @param properties its further properties, lines of `name=value`
 */
export async function startBroker(port: number, properties = '') {
  const dir = mkdtempSync(join(tmpdir(), 'broker-'));
  const pidFile = join(dir, 'kafka.pid');
  const propertiesFile = join(dir, 'more.properties');
  writeFileSync(propertiesFile, properties);
  const infra = (command: string) =>
    promisify(execFile)('bash', [script, command, '--dir', dir, 'kafka'], {
      env: { ...process.env, KAFKA_PORT: String(port), KAFKA_PROPERTIES: propertiesFile },
    });
  /** The broker and what started it are one process group. */
  const signal = (name: NodeJS.Signals) => {
    process.kill(-Number(readFileSync(pidFile, 'utf8')), name);
  };
  await infra('up');
  return {
    address: `127.0.0.1:${port}`,
    /** Runs a tool of Kafka in a JVM of its own. */
    async runTool(mainClass: string, args: readonly string[]) {
      const command = readFileSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}/cmdline`, 'utf8').split(
        '\0',
      );
      const classPath = command[command.indexOf('-cp') + 1] ?? '';
      await promisify(execFile)('java', ['-cp', classPath, mainClass, ...args]);
    },
    kill: () => signal('SIGKILL'),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    /** Resolves when it accepts connections. */
    async restart() {
      // Where nobody collects ended processes, the killed one would count as running.
      rmSync(pidFile);
      await infra('up');
      while (!(await isOpen(port))) await sleep(50);
    },
    async stop() {
      spawnSync('bash', [script, 'down', '--dir', dir, 'kafka']);
      rmSync(dir, { recursive: true, force: true });
    },
  };
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
