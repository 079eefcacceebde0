import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { LoadOrder, LoadResult } from '../lib/gateway-load.ts';
import type { SystemCommand, SystemOrder, SystemReady, SystemReply } from '../lib/gateway-path-system.ts';

export const here = resolve(import.meta.dirname, '../..');

/** The options of measurements of the whole path. */
export const pathOptions = {
  ms: [1500, 'the length of a round'],
  connections: [32, 'connections of the load'],
  keys: [8000, 'accounts that call in rotation: a key may make 59 calls a minute'],
} as const;

/** A system in a process of its own. */
export type PathSystem = { name: string; child: ChildProcess; port: number; keys: string[] };

/**
 * Starts a program of experiments/lib. It runs the product as it is built: from source, tsx gives every function its name at run
 * time, which took a fifth of a call and nothing of the baseline.
 * @param tree the folder of a built checkout
 */
export function startProgram(
  file: string,
  env: Readonly<Record<string, string>> = {},
  tree = here,
): ChildProcess {
  const child = fork(join(tree, 'experiments/lib', file), {
    cwd: tree,
    env: { ...process.env, ...env },
    execArgv: ['--import', 'tsx'],
  });
  child.once('exit', (code) => code && process.exit(code));
  return child;
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}

/**
 * A load generator, and the services and the database of systems that run apart, each in a process of its own. The CPU time of a
 * system is that of the process that answers.
 */
export async function startPath({
  ms,
  connections,
  keys,
}: {
  ms: number;
  connections: number;
  keys: number;
}) {
  const load = startProgram('gateway-load.ts');
  const services = startProgram('gateway-services.ts');
  const [{ address, mongodbUri }] = (await once(services, 'message')) as [
    { address: string; mongodbUri: string },
  ];

  async function runLoad(system: PathSystem): Promise<LoadResult> {
    const { port, keys: own } = system;
    const order: LoadOrder = {
      port,
      path: '/api/v1/applications',
      keys: own,
      connections,
      seconds: ms / 1000,
    };
    load.send(order);
    const [result] = (await once(load, 'message')) as [LoadResult];
    // The next run goes on with the keys whose last call is the longest ago.
    own.push(...own.splice(0, result.count % own.length));
    return result;
  }

  async function ask({ child }: PathSystem, command: SystemCommand): Promise<SystemReply> {
    child.send(command);
    const [reply] = (await once(child, 'message')) as [SystemReply];
    return reply;
  }

  async function readCpu(system: PathSystem): Promise<number> {
    const reply = await ask(system, 'read-cpu');
    if (!('cpuMicros' in reply)) throw new Error('the CPU time is missing');
    return reply.cpuMicros;
  }

  return {
    ask,
    runLoad,
    /** Starts a system, and calls it until every key has called once, so that the cache of keys is as full as after a minute. */
    async start(
      name: string,
      order: Pick<SystemOrder, 'kind' | 'hasQuota' | 'database'>,
      { tree, env }: { tree?: string; env?: Readonly<Record<string, string>> } = {},
    ): Promise<PathSystem> {
      const child = startProgram('gateway-path-system.ts', env, tree);
      child.send({ ...order, trackingAddress: address, mongodbUri, keyCount: keys } satisfies SystemOrder);
      const [{ port, keys: own }] = (await once(child, 'message')) as [SystemReady];
      const system = { name, child, port, keys: own };
      for (let calls = 0; calls < own.length; ) calls += (await runLoad(system)).count;
      return system;
    },
    async measure(system: PathSystem) {
      const before = await readCpu(system);
      const { count, seconds, statuses } = await runLoad(system);
      const cpuMicros = ((await readCpu(system)) - before) / count;
      const refused = count - (statuses['200'] ?? 0);
      return { 'calls a second': count / seconds, 'us CPU': cpuMicros, 'not 200': refused };
    },
    async stop(): Promise<void> {
      for (const child of [load, services]) await stopProgram(child);
    },
  };
}

export const pathColumns = {
  'calls a second': { isCompared: true },
  'us CPU': { isCompared: true },
  'not 200': {},
} as const;
