import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { PartName } from '@shelfwise/app/distributed/plan-processes';
import { nodeArguments } from '../../testing/system/node-arguments.ts';

export type DistributedSystem = {
  /** The addresses of the gateways. */
  urls: string[];
  startedInMs: number;
  /** The output so far. */
  output(): string;
  /** The process ids of the copies of a part. */
  pidsOf(part: PartName): number[];
  /** Runs `npm run account -- <words> --json`. */
  account(...words: string[]): Promise<Record<string, string>>;
  /** The text of /metrics of every process, by its name (scoring-2). */
  readMetrics(): Promise<Map<string, string>>;
  /** Ctrl-C. Returns the exit code. */
  end(): Promise<number | null>;
};

/** Starts `npm run start:distributed` and waits until every process listens. Call it in the repository root. */
export async function startDistributedSystem(
  commandArguments: readonly string[],
  settings: Readonly<Record<string, string>> & { METRICS_PORT: string },
  /** of Node.js, for every process */
  nodeOptions: readonly string[] = [],
): Promise<DistributedSystem> {
  const startedAt = performance.now();
  const env = { ...process.env, ...settings };
  const args = [
    ...nodeOptions,
    ...nodeArguments('app/src/commands/start-distributed.ts'),
    ...commandArguments,
  ];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const endWithParent = () => child.kill('SIGTERM');
  process.once('exit', endWithParent);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ctrl-C stops it.')) resolve();
      });
  });
  const ended = exited.then(([code]) => Promise.reject(new Error(`it ended with ${code}:\n${output}`)));
  await Promise.race([ready, ended]);
  ended.catch(() => {});
  const names = output.match(/processes: (.*)/)?.[1]?.split(', ') ?? [];
  return {
    urls: output.match(/Shelfwise listens on (.*)/)?.[1]?.split(', ') ?? [],
    startedInMs: performance.now() - startedAt,
    output: () => output,
    pidsOf: (part) => {
      const words = ['-P', String(child.pid), '-f', `${part}/(dist|src)/main`];
      // It exits with 1 when there is none.
      const { stdout } = spawnSync('pgrep', words, { encoding: 'utf8' });
      return stdout.trim().split('\n').filter(Boolean).map(Number);
    },
    account: (...words) => runAccountCommand(words, settings),
    async readMetrics() {
      const metricsPort = Number(settings.METRICS_PORT);
      const texts = names.map(async (name, index) => {
        const response = await fetch(`http://127.0.0.1:${metricsPort + index}/metrics`);
        return [name, await response.text()] as const;
      });
      return new Map(await Promise.all(texts));
    },
    async end() {
      process.off('exit', endWithParent);
      child.kill('SIGINT');
      const [code] = await exited;
      return code;
    },
  };
}

/** Runs `npm run account -- <words> --json` on a system with these settings, and returns what it printed. */
export async function runAccountCommand<Answer>(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Answer> {
  const args = [...nodeArguments('app/src/commands/account.ts'), ...words, '--json'];
  const env = { ...process.env, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout) as Answer;
}
