/**
 * The whole path of a call, next to a baseline of Fastify and grpc-js in the same run: trust the ratios, not the times.
 *
 * Every system runs in a process of its own, and they take turns; the CPU time is that of the process that answers,
 * without the load generator and, apart, without the services and the database. Thousands of accounts call in rotation,
 * because a key may make 59 calls a minute. At the end each system is profiled once. The product runs as it is built:
 * from source, tsx gives every function its name at run time, which took a fifth of a call and nothing of the baseline.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { LoadOrder, LoadResult } from './lib/gateway-load.ts';
import type { SystemCommand, SystemOrder, SystemReady, SystemReply } from './lib/gateway-path-system.ts';
import { shareOfChecks } from './lib/profile-parts.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    ms: { type: 'string', default: '1500' },
    connections: { type: 'string', default: '32' },
    keys: { type: 'string', default: '8000' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(`Usage: npm run gateway-path -- [--rounds 7] [--ms 1500] [--connections 32] [--keys 8000]

With REDIS_URL the gateways that run apart decide in Redis.`);
  process.exit(0);
}
const rounds = Number(values.rounds);
const seconds = Number(values.ms) / 1000;
const connections = Number(values.connections);

/** `goal`: the least throughput, as a multiple of the baseline's. */
const cases = [
  { name: 'baseline: Fastify + grpc-js', kind: 'baseline', hasQuota: false, goal: null },
  { name: 'all-in-one, without quota', kind: 'all-in-one', hasQuota: false, goal: 1.5 },
  { name: 'all-in-one, with quota', kind: 'all-in-one', hasQuota: true, goal: null },
  { name: 'apart, without quota', kind: 'apart', hasQuota: false, goal: 0.75 },
  { name: 'apart, with quota', kind: 'apart', hasQuota: true, goal: 0.6 },
] as const;
const maxShareOfChecks = 0.15;

type System = (typeof cases)[number] & { child: ChildProcess; port: number; keys: string[] };
type Measured = { perSecond: number; cpuMicros: number; refused: number };

const startChild = (file: string) => fork(fileURLToPath(new URL(`./lib/${file}`, import.meta.url)));
const load = startChild('gateway-load.ts');
const services = startChild('gateway-services.ts');
const [{ address, mongodbUri }] = (await once(services, 'message')) as [
  { address: string; mongodbUri: string },
];
const systems: System[] = [];
for (const [index, { kind, hasQuota }] of cases.entries()) {
  const child = startChild('gateway-path-system.ts');
  const order: SystemOrder = {
    kind,
    hasQuota,
    trackingAddress: address,
    mongodbUri,
    database: `gateway_path_${index}`,
    keyCount: Number(values.keys),
  };
  child.send(order);
  const [{ port, keys }] = (await once(child, 'message')) as [SystemReady];
  systems.push({ ...(cases[index] as (typeof cases)[number]), child, port, keys });
}

for (const system of systems) await warmUp(system);
const measured = new Map(systems.map((system): [System, Measured[]] => [system, []]));
for (let round = 0; round < rounds; round++)
  for (const system of systems) measured.get(system)?.push(await measure(system));
printResults();
for (const system of systems) await printProfile(system);
for (const { child } of systems) await stop(child);
for (const child of [load, services]) await stop(child);

/** Until every key has called once, so that the cache of keys is as full as after the first minute. */
async function warmUp(system: System): Promise<void> {
  for (let calls = 0; calls < system.keys.length; ) calls += (await runLoad(system)).count;
}

async function measure(system: System): Promise<Measured> {
  const { child } = system;
  const before = (await ask(child, 'read-cpu')) as { cpuMicros: number };
  const result = await runLoad(system);
  const after = (await ask(child, 'read-cpu')) as { cpuMicros: number };
  return {
    perSecond: result.count / result.seconds,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / result.count,
    refused: result.count - (result.statuses['200'] ?? 0),
  };
}

async function runLoad(system: System): Promise<LoadResult> {
  const { port, keys } = system;
  load.send({ port, path: '/api/v1/applications', keys, connections, seconds } satisfies LoadOrder);
  const [result] = (await once(load, 'message')) as [LoadResult];
  // The next run goes on with the keys whose last call is the longest ago.
  system.keys.push(...system.keys.splice(0, result.count % keys.length));
  return result;
}

async function ask(child: ChildProcess, command: SystemCommand): Promise<SystemReply> {
  child.send(command);
  const [reply] = (await once(child, 'message')) as [SystemReply];
  return reply;
}

function printResults(): void {
  console.log(
    `medians of ${rounds} rounds, ${connections} connections, ${values.keys} keys; load average ${loadavg()[0]?.toFixed(1)}`,
  );
  const base = measured.get(systems[0] as System) ?? [];
  for (const [system, results] of measured) {
    // Each round against the baseline of the same round: neighbors in time share their disturbance.
    const ratios = results.map(({ perSecond }, round) => perSecond / (base[round]?.perSecond ?? Number.NaN));
    const cpuRatios = results.map(
      ({ cpuMicros }, round) => cpuMicros / (base[round]?.cpuMicros ?? Number.NaN),
    );
    const ratio = median(ratios);
    const refused = results.reduce((sum, result) => sum + result.refused, 0);
    console.log(
      [
        system.name.padEnd(28),
        `${Math.round(median(results.map(({ perSecond }) => perSecond)))}/s`.padStart(8),
        `x${ratio.toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`.padStart(
          22,
        ),
        `${Math.round(median(results.map(({ cpuMicros }) => cpuMicros)))} us CPU, x${median(cpuRatios).toFixed(2)}`.padStart(
          20,
        ),
        system.goal === null ? '' : `goal x${system.goal}: ${ratio >= system.goal ? 'reached' : 'MISSED'}`,
        refused > 0 ? `${refused} not 200` : '',
      ].join('  '),
    );
  }
}

async function printProfile(system: System): Promise<void> {
  const { name, child, kind } = system;
  await ask(child, 'start-profile');
  await runLoad(system);
  const reply = await ask(child, 'stop-profile');
  if (!('parts' in reply)) throw new Error('the profile is missing');
  console.log(`\n${name}: CPU of its main thread, by part`);
  for (const { part, share } of reply.parts) console.log(`  ${percent(share)} ${part}`);
  if (kind !== 'baseline') {
    const checks = shareOfChecks(reply.parts);
    const verdict = checks <= maxShareOfChecks ? 'reached' : 'MISSED';
    console.log(
      `  checks together ${percent(checks)}, goal at most ${percent(maxShareOfChecks)}: ${verdict}`,
    );
  }
  console.log('  functions with the most time of their own:');
  for (const { name: functionName, share } of reply.functions)
    console.log(`  ${percent(share)} ${functionName}`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`.padStart(7);
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
