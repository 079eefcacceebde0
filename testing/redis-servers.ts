import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './find-free-port.ts';

/** A redis-server that a test may freeze and kill. It stores nothing on disk. */
export type RedisServer = {
  port: number;
  pid(): number;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Whether this machine has redis-server and redis-cli. */
export function hasRedisServer(): boolean {
  return ['redis-server', 'redis-cli'].every((command) => spawnSync(command, ['--version']).status === 0);
}

/**
 * @param options further options of redis-server, or a sentinel's configuration file as the first one
 * @param tlsFolder has ca.crt, tls.crt and tls.key: the port then takes TLS only, and clients need a certificate
 */
export async function startRedisServer(
  options: readonly string[] = [],
  tlsFolder?: string,
): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'shelfwise-redis-'));
  const port = await findFreePort();
  let child = await start();
  // A script that fails leaves no server behind.
  const killWithProcess = () => void child.kill('SIGKILL');
  process.once('exit', killWithProcess);

  async function start(): Promise<ChildProcess> {
    const ports = tlsFolder
      ? [...tlsOptions(tlsFolder), '--tls-port', `${port}`, '--port', '0']
      : ['--port', `${port}`];
    const own = [...ports, '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
    const started = spawn('redis-server', [...options, ...own], { stdio: 'ignore' });
    while (!(await isListening(port))) {
      if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`);
    }
    return started;
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  return {
    port,
    pid: () => child.pid as number,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill,
    async restart() {
      await kill();
      child = await start();
    },
    async stop() {
      await kill();
      process.off('exit', killWithProcess);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function tlsOptions(folder: string): string[] {
  const file = (name: string) => join(folder, name);
  return [
    ...['--tls-ca-cert-file', file('ca.crt'), '--tls-cert-file', file('tls.crt')],
    ...['--tls-key-file', file('tls.key')],
  ];
}

/** Runs redis-cli. @throws with its output when it fails */
export function callRedis(port: number, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('redis-cli', ['-p', `${port}`, ...words], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`redis-cli ${words.join(' ')}: ${stdout}${stderr}`);
  return stdout.trim();
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  } finally {
    socket.destroy();
  }
}
