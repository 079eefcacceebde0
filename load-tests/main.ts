/** One load profile against a system that is started for it, or against a running one. Ends with 1 when a goal is missed. */
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mostNumberedAccounts } from '@shelfwise/gateway/accounts/numbered-accounts';
import { firstSignal } from '@shelfwise/runtime/process/first-signal';
import { pauseSeconds, pauseSecondsOfWhole, secondsPerVisit } from './k6/journey.ts';
import type { LoadFile } from './k6/main.ts';
import { isSteady, toStages } from './k6/profiles.ts';
import { drawChart } from './lib/chart.ts';
import { formatResults } from './lib/format-results.ts';
import { installK6 } from './lib/k6-process.ts';
import { measure } from './lib/measure.ts';
import { measureSaturated } from './lib/measure-saturated.ts';
import { type LoadCommand, loadTestUsage, parseLoadCommand } from './lib/parse-load-command.ts';
import { readLocalProcess } from './lib/process-samples.ts';
import { type BareRuns, type RunFacts, toResults } from './lib/results.ts';
import { startBareExpress } from './lib/start-bare-express.ts';
import { type LoadedSystem, startAllInOne, startDistributed, useRunningSystem } from './lib/systems.ts';
import { prepareAccounts, type WarmUp, warmUp } from './lib/warm-up.ts';

const parsed = parseLoadCommand(process.argv.slice(2));
if (parsed.kind === 'help') {
  console.log(loadTestUsage);
  process.exit(0);
}
if (parsed.kind === 'usage-error') {
  console.error(`${parsed.message}\n\n${loadTestUsage}`);
  process.exit(2);
}
const { command } = parsed;
const stop = firstSignal(process, { stopWithinMs: 90_000 });
const stopped = new Promise<never>((_, reject) => {
  stop.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
});
stopped.catch(() => {});
const bareMinutes = 0.3;
/** That is the shortest visit. */
const fewestCallsPerVisit = 12;

try {
  // First, so that a folder that cannot be written ends the run before the load.
  mkdirSync(command.folder, { recursive: true });
  accessSync(command.folder, constants.W_OK);
  await installK6(console.log);
  const system = await startSystem();
  try {
    process.exitCode = await run(system);
  } finally {
    await system.stop();
  }
} catch (error) {
  console.error(stop.aborted ? 'stopped' : (error as Error).message);
  process.exitCode = 1;
}
process.exit();

async function startSystem(): Promise<LoadedSystem> {
  const { target } = command;
  const keyCount = countKeys(command);
  if (target.kind === 'running') {
    const system = useRunningSystem(target);
    if (system.keys.length < keyCount)
      throw new Error(
        `${target.accountsFile} has ${system.keys.length} accounts; this load needs ${keyCount}.`,
      );
    return system;
  }
  if (keyCount > mostNumberedAccounts)
    throw new Error(
      `This load needs ${keyCount} accounts, and ${mostNumberedAccounts} are possible: lower --capacity.`,
    );
  console.log(`starting ${target.kind === 'all-in-one' ? 'npm start' : 'npm run start:distributed'}`);
  return target.kind === 'all-in-one' ? startAllInOne(keyCount) : startDistributed(target.copies, keyCount);
}

/** Enough that a key stays below its 59 calls a minute. */
function countKeys({ profile, capacity }: LoadCommand): number {
  const most = Math.max(0, ...toStages({ profile, capacity, callsPerVisit: 1 }).map(({ rate }) => rate));
  return 8 + Math.ceil((most / fewestCallsPerVisit) * secondsPerVisit);
}

async function run(system: LoadedSystem): Promise<number> {
  const { profile, capacity, minutes } = command;
  const isEdge = profile === 'limits';
  const hasRate = !isEdge && profile !== 'smoke';
  if (!isEdge) console.log(`${system.name}: preparing ${system.keys.length} accounts`);
  const prepare = async () => {
    const accounts = isEdge ? [] : await prepareAccounts(system.urls, system.keys);
    return { accounts, learnt: hasRate ? await warmUp(system.urls, accounts) : null };
  };
  const { accounts, learnt } = await Promise.race([prepare(), stopped]);
  const load: LoadFile = {
    profile,
    capacity,
    callsPerVisit: learnt?.callsPerVisit ?? 1,
    urls: [...system.urls],
    accounts,
    edgeKeys: isEdge ? toEdgeKeys(system) : {},
  };
  if (minutes !== null) load.minutes = minutes;
  // With a rate that changes, there is no same rate.
  const bare = learnt === null || !isSteady(profile) ? null : await measureBare(load, learnt);
  const pause = profile === 'smoke' ? pauseSecondsOfWhole : pauseSeconds;
  console.log(`${profile} begins; each call is followed by ${pause} s without one`);
  const measured = await measure(load, system.processes, stop);
  const facts: RunFacts = {
    profile,
    system: system.name,
    capacity,
    callsPerVisit: learnt?.callsPerVisit ?? null,
    accounts: system.keys.length,
  };
  const results = toResults(facts, measured, bare);
  if (measured.errors !== '') console.log(measured.errors.slice(0, 4000));
  console.log(formatResults(results));
  const name = `${profile}-${command.name ?? system.name.replaceAll(/[^\w]+/g, '-')}`;
  writeFileSync(join(command.folder, `${name}.json`), `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(join(command.folder, `${name}.svg`), drawChart(`${profile}: ${system.name}`, results.series));
  console.log(`written: ${join(command.folder, name)}.json and .svg`);
  return Object.values(results.goals).every(Boolean) ? 0 : 1;
}

function toEdgeKeys({ keys: [second = '', minute = ''], quotaKey }: LoadedSystem): LoadFile['edgeKeys'] {
  if (quotaKey !== null) return { second, minute, quota: quotaKey };
  console.log('skipped: the edge of a quota, for which this system has no account');
  return { second, minute };
}

/** The same calls on an application that only answers: at the rate of the load, which is steady, and as fast as it answers. */
async function measureBare(load: LoadFile, { bodies, calls }: WarmUp): Promise<BareRuns> {
  const bare = await startBareExpress(bodies);
  try {
    console.log(
      'a bare Express application with the same answers, for comparison: at the same rate, and saturated',
    );
    const short: LoadFile = { ...load, profile: 'average', minutes: bareMinutes, urls: [bare.url] };
    const atRate = await measure(short, new Map([['bare', readLocalProcess(bare.pid)]]), stop);
    stop.throwIfAborted();
    return { atRate, saturated: await measureSaturated(bare, calls) };
  } finally {
    bare.stop();
  }
}
