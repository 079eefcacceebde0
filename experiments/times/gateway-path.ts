import { shareOfChecks } from '../lib/profile-parts.ts';
import { defineTimes } from './define-times.ts';
import { type PathSystem, pathColumns, pathOptions, startPath, stopProgram } from './path-systems.ts';
import { measureInTurns } from './rounds.ts';

/** `goal`: the least throughput, as a multiple of the baseline's. */
const systems = [
  { name: 'baseline: Fastify + grpc-js', kind: 'baseline', hasQuota: false, goal: null },
  { name: 'all-in-one, without quota', kind: 'all-in-one', hasQuota: false, goal: 1.5 },
  { name: 'all-in-one, with quota', kind: 'all-in-one', hasQuota: true, goal: null },
  { name: 'apart, without quota', kind: 'apart', hasQuota: false, goal: 0.75 },
  { name: 'apart, with quota', kind: 'apart', hasQuota: true, goal: 0.6 },
] as const;
const maxShareOfChecks = 0.15;

/** With REDIS_URL the gateways that run apart decide in Redis. */
export const times = defineTimes({
  name: 'gateway-path',
  question:
    'What does the whole path of a call cost, compared with Fastify and grpc-js, and which part of it takes the CPU?',
  options: { rounds: [7, 'rounds of each system'], ...pathOptions },
  async run({ rounds, ...options }) {
    const path = await startPath(options);
    const started: PathSystem[] = [];
    for (const [index, { name, kind, hasQuota }] of systems.entries())
      started.push(await path.start(name, { kind, hasQuota, database: `gateway_path_${index}` }));
    const cases = started.map((system) => ({ name: system.name, measure: () => path.measure(system) }));
    const results = await measureInTurns(cases, { rounds, warmUps: 0, columns: pathColumns });
    results.print(`${options.connections} connections, ${options.keys} keys`);
    for (const { name, goal } of systems) {
      if (goal === null) continue;
      const verdict = results.ratio(name, 'calls a second') >= goal ? 'reached' : 'MISSED';
      console.log(`  ${name}: goal x${goal}: ${verdict}`);
    }
    for (const system of started) await printProfile(system, path);
    for (const { child } of started) await stopProgram(child);
    await path.stop();
  },
});

async function printProfile(system: PathSystem, path: Awaited<ReturnType<typeof startPath>>): Promise<void> {
  await path.ask(system, 'start-profile');
  await path.runLoad(system);
  const reply = await path.ask(system, 'stop-profile');
  if (!('parts' in reply)) throw new Error('the profile is missing');
  console.log(`\n${system.name}: CPU of its main thread, by part`);
  for (const { part, share } of reply.parts) console.log(`  ${percent(share)} ${part}`);
  if (system.name !== systems[0].name) {
    const checks = shareOfChecks(reply.parts);
    const verdict = checks <= maxShareOfChecks ? 'reached' : 'MISSED';
    console.log(
      `  checks together ${percent(checks)}, goal at most ${percent(maxShareOfChecks)}: ${verdict}`,
    );
  }
  console.log('  functions with the most time of their own:');
  for (const { name, share } of reply.functions) console.log(`  ${percent(share)} ${name}`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`.padStart(7);
}
