/**
 * What traces cost: the whole path of a call without a collector, with one, and with 5 % of the calls recorded. The
 * systems take turns in one run: trust the ratios, not the times. The first system runs twice, which shows the noise.
 * `--before DIR` adds another version of the product: the folder of a built checkout.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { LoadOrder, LoadResult } from './lib/gateway-load.ts';
import type { SystemOrder, SystemReady, SystemReply } from './lib/gateway-path-system.ts';

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    ms: { type: 'string', default: '1500' },
    connections: { type: 'string', default: '32' },
    keys: { type: 'string', default: '8000' },
    /** Only off: whether the code costs anything while there is no collector. */
    off: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(
    'Usage: npm run trace-cost -- [--before DIR] [--off] [--rounds 15] [--ms 1500] [--connections 32] [--keys 8000]',
  );
  process.exit(0);
}
const rounds = Number(values.rounds);
const seconds = Number(values.ms) / 1000;

const here = resolve(import.meta.dirname, '..');
const fromHere = (file: string) => join(here, 'experiments/lib', file);
const collector = fork(fromHere('trace-sink.ts'));
const [OTEL_EXPORTER_OTLP_ENDPOINT] = (await once(collector, 'message')) as [string];
const on = { OTEL_EXPORTER_OTLP_ENDPOINT };
const sampler = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' };

const cases: { name: string; tree: string; settings: Record<string, string> }[] = [
  { name: 'off', tree: here, settings: {} },
  { name: 'off, again', tree: here, settings: {} },
  { name: 'on, 5 % recorded', tree: here, settings: { ...on, ...sampler } },
  { name: 'on', tree: here, settings: on },
];
if (values.off) cases.splice(2);
if (values.before !== undefined)
  cases.splice(1, 0, { name: 'before', tree: resolve(values.before), settings: {} });

type System = { name: string; child: ChildProcess; port: number; keys: string[] };
type Measured = { perSecond: number; cpuMicros: number };

const load = fork(fromHere('gateway-load.ts'));
const services = fork(fromHere('gateway-services.ts'));
const [{ address, mongodbUri }] = (await once(services, 'message')) as [
  { address: string; mongodbUri: string },
];

for (const kind of ['all-in-one', 'apart'] as const) {
  const systems: System[] = [];
  for (const [index, { name, tree, settings }] of cases.entries())
    systems.push(await start(kind, `trace_cost_${kind}_${index}`, { name, tree, settings }));
  for (const system of systems) await warmUp(system);
  const measured = new Map(systems.map((system): [System, Measured[]] => [system, []]));
  for (let round = 0; round < rounds; round++) {
    // Backward every other round: a slow drift of the machine then favors neither side.
    const order = round % 2 === 0 ? systems : systems.toReversed();
    for (const system of order) measured.get(system)?.push(await measure(system));
  }
  print(kind, measured);
  for (const { child } of systems) await stop(child);
}
for (const child of [load, services, collector]) await stop(child);

async function start(
  kind: SystemOrder['kind'],
  database: string,
  { name, tree, settings }: (typeof cases)[number],
): Promise<System> {
  const child = fork(join(tree, 'experiments/lib/gateway-path-system.ts'), {
    cwd: tree,
    env: { ...process.env, ...settings },
  });
  const order: SystemOrder = {
    kind,
    hasQuota: false,
    trackingAddress: address,
    mongodbUri,
    database: database.replaceAll('-', '_'),
    keyCount: Number(values.keys),
  };
  child.once('exit', (code) => code && process.exit(code));
  child.send(order);
  const [{ port, keys }] = (await once(child, 'message')) as [SystemReady];
  return { name, child, port, keys };
}

/** Until every key has called once, so that the cache of keys is as full as after the first minute. */
async function warmUp(system: System): Promise<void> {
  for (let calls = 0; calls < system.keys.length; ) calls += (await runLoad(system)).count;
}

async function measure(system: System): Promise<Measured> {
  const before = await readCpu(system);
  const { count, seconds: took, statuses } = await runLoad(system);
  const cpuMicros = ((await readCpu(system)) - before) / count;
  if (statuses['200'] !== count) throw new Error(`${system.name}: ${JSON.stringify(statuses)}`);
  return { perSecond: count / took, cpuMicros };
}

async function runLoad({ port, keys }: System): Promise<LoadResult> {
  const connections = Number(values.connections);
  load.send({ port, path: '/api/v1/applications', keys, connections, seconds } satisfies LoadOrder);
  const [result] = (await once(load, 'message')) as [LoadResult];
  // The next run goes on with the keys whose last call is the longest ago.
  keys.push(...keys.splice(0, result.count % keys.length));
  return result;
}

async function readCpu({ child }: System): Promise<number> {
  child.send('read-cpu');
  const [reply] = (await once(child, 'message')) as [SystemReply];
  if (!('cpuMicros' in reply)) throw new Error('the CPU time is missing');
  return reply.cpuMicros;
}

/** Each round against the first system of the same round: neighbors in time share their disturbance. */
function print(kind: string, measured: ReadonlyMap<System, readonly Measured[]>): void {
  console.log(`\n${kind}: medians of ${rounds} rounds; load average ${loadavg()[0]?.toFixed(1)}`);
  const [base = []] = measured.values();
  for (const [{ name }, results] of measured) {
    const ratiosOf = (field: keyof Measured) =>
      results.map((result, round) => result[field] / (base[round]?.[field] ?? Number.NaN));
    const median = (numbers: number[]) =>
      numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
    const show = (ratios: number[]) => {
      const sorted = ratios.toSorted((a, b) => a - b);
      const quarter = sorted.length >> 2;
      return `x${median(ratios).toFixed(3)} (${sorted[quarter]?.toFixed(2)} to ${sorted.at(-1 - quarter)?.toFixed(2)})`;
    };
    const micros = results.map(({ cpuMicros }) => cpuMicros);
    console.log(
      `${name.padEnd(18)} ${Math.round(median(micros))} us CPU a call (lowest ${Math.round(Math.min(...micros))}), ${show(ratiosOf('cpuMicros'))}; calls a second ${show(ratiosOf('perSecond'))}`,
    );
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
