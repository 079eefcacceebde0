import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccounts } from '../lib/create-accounts.ts';
import { formatOutcome, type Outcome, worstOutcome } from '../lib/judge-on-machine.ts';
import { readOptions } from '../lib/options.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { type Client, createClients, findApps } from './clients.ts';
import { type Engines, startEngines } from './engines.ts';
import type { Fault, PhaseDeps } from './fault.ts';
import { createFaultTable } from './fault-table.ts';
import { createFrozenStore } from './frozen-store.ts';
import { compareOthers, judge, missesTimesOnly } from './goals.ts';
import { killAlerts } from './kill-alerts.ts';
import { killOutboxCopies } from './kill-outbox-copies.ts';
import { type CallRecord, startLoad } from './load.ts';
import { measureCapacity } from './measure-capacity.ts';
import { describeOverload, runOverload, toOverloadRow } from './overload.ts';
import { runPhase } from './phase.ts';
import { clearTable, describeVerdict, type FindingRow, updateTable, type Verdict } from './report.ts';
import { createSpentRequests } from './spent-requests.ts';
import { type FaultySystem, startFaultySystem } from './systems.ts';
import { verifyEffects } from './verify-effects.ts';

const values = readOptions(
  'npm run faults',
  `The fault table: kills, freezes, slows down and restarts every part and engine of npm run start:distributed with two copies of
everything, under a steady load of a third of what it can do. For each fault: what clients saw, what was lost or done twice, and whether
the goals are met. Writes the table into docs/faults.md. Ends with 1 when a goal is missed; one that only a slow machine may have missed
is not judged.

Starts Redis, Kafka (deploy/without-docker/engines) and a database of its own. With MONGODB_URI (mongodb://host:port) it uses that server
over a proxy, which freezes and cuts its connections; on MongoDB itself outages under its faults count as well. The names of its
databases there begin with faults-: delete them afterwards.`,
  {
    only: ['', 'only these rows of the table, such as 7,9; row 0, which has no fault, is run for comparison'],
    'one-per-row': [false, 'only the first fault of each row: half of the time'],
    store: [
      '',
      'a stand-in for both stores with POST /__control, for row 16: without it that row is skipped',
    ],
    'outbox-kills': [40, 'in row 11'],
    port: [18_080, 'of the first gateway; metrics from this port + 100'],
    'service-port': [15_051, 'as of npm run start:distributed'],
    'engine-port': [19_400, "of Redis; the next two are Kafka's"],
    log: ['', 'a file for what all processes have logged, at the end'],
    'no-page': [false, 'does not write docs/faults.md'],
  },
);

/** A key may make fewer than 60 calls in a minute. */
const everyMs = 1250;
/**
 * Of the capacity. Calls one at a time cost more than many at once: at half of the capacity two processors were used to 98 %, and
 * times twice as long as without a fault came and went without one.
 */
const loadShare = 1 / 3;
/** Enough that each stays below its windows while the capacity is measured. */
const mostClients = 400;
/** Before the load of the first system, without a fault, is given to a second one. */
const warmUpMs = 30_000;
/** For attackers, and faults that need keys of their own. */
const moreAccounts = 220;
const rows = values.only === '' ? undefined : values.only.split(',').map(Number);
const unknown = rows?.find((row) => !(row >= 0 && row <= 17));
if (unknown !== undefined) throw new Error(`--only ${values.only}: the rows are 0 to 17`);
if (rows?.includes(16) && !values.store) throw new Error('--only 16 needs --store');
if (values['one-per-row'] && !values['no-page'])
  throw new Error('--one-per-row needs --no-page: the page has all faults');
const isChosen = ({ row }: Pick<Fault, 'row'>) => rows === undefined || rows.includes(row);
const folder = temporaryFolder('faults');
/** What other runs have left on the server of MONGODB_URI is not read or changed. */
const prefix = `faults-${Date.now().toString(36)}-`;
const ports = { port: values.port, servicePort: values['service-port'], clockFile: join(folder, 'clock') };

const page = 'docs/faults.md';
const verdicts: Verdict[] = [];
/** The rows without the steady load. */
const alone: FindingRow[] = [];
if (!values['no-page'] && rows === undefined) clearTable(page);
let stopEngines = async () => {};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopEngines().finally(() => process.exit(1)));
const engines = await startEngines({
  port: values['engine-port'],
  mongodbUri: process.env.MONGODB_URI,
  onStart: (stop) => {
    stopEngines = stop;
  },
});
try {
  const load = await runOnSample(engines);
  if (values.store && isChosen({ row: 16 })) await runOnStore(engines, values.store, load);
  else if (isChosen({ row: 16 }))
    console.log('\n# 16: skipped, because --store names no stand-in for the stores');
} finally {
  await engines.stop();
}
if (isChosen({ row: 11 })) {
  // It uses all processors.
  const killed = await killOutboxCopies(values['outbox-kills']);
  console.log(`\n# 11: ${killed.name}\n${formatOutcome(killed.finding)}`);
  alone.push(killed);
}
if (!values['no-page']) updateTable(page, [], alone);
const findings = [...verdicts.flatMap(({ goals }) => goals), ...alone.map(({ finding }) => finding)];
const count = (wanted: Outcome) => findings.filter(({ outcome }) => outcome === wanted).length;
console.log(`\ngoals met: ${count('met')}, missed: ${count('missed')}`);
if (count('not judged') > 0) console.log(`${count('not judged')} not judged: machine`);
process.exit(count('missed') === 0 ? 0 : 1);

async function runOnSample(engines: Engines): Promise<Load> {
  const settings = {
    MONGODB_PREFIX: `${prefix}sample-`,
    STORE_SOURCE: 'sample',
    // Row 17: the receivers are on this machine.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    SECRETS_KEY: randomBytes(32).toString('hex'),
  };
  const started = await startFaultySystem({ engines, ...ports, settings });
  try {
    const { system } = started;
    const table = createFaultTable({ system, engines, clockFile: ports.clockFile });
    const load = await runPhases(started, table, await findApps());
    if (isChosen({ row: 15 })) await overloadSystem(started, load);
    if (rows?.includes(17)) await killAlertsOf(started, engines);
    return load;
  } finally {
    await started.stop();
    if (values.log) writeFileSync(values.log, started.system.output());
  }
}

async function overloadSystem({ system, balancer, prefix }: FaultySystem, earlier: Load): Promise<void> {
  const createKeys = async (count: number) =>
    (await createAccounts(engines.settings.MONGODB_URI, count, prefix)).map(({ key }) => key);
  const { readMetrics } = system;
  const result = await runOverload({
    balancer,
    createKeys,
    earlier,
    readMetrics,
    spent: createSpentRequests(() => new Date()),
  });
  console.log(describeOverload(result));
  alone.push(toOverloadRow(result));
}

async function killAlertsOf(faulty: FaultySystem, engines: Engines): Promise<void> {
  const killed = await killAlerts({ faulty, engines, folder });
  console.log(`\n# 17: ${killed.name}\n${formatOutcome(killed.finding)}`);
  alone.push(killed);
}

/**
 * On databases of its own, because what is read from the sample must not meet what is read from a store. The services are the same, so
 * the load is, too.
 */
async function runOnStore(engines: Engines, store: string, load: Load): Promise<void> {
  const frozenStore = createFrozenStore(store, `${prefix}live-`);
  const started = await startFaultySystem({ engines, ...ports, settings: frozenStore.settings });
  try {
    await runPhases(started, frozenStore.faults, await frozenStore.findApps(), load);
  } finally {
    await started.stop();
  }
}

/** The clients of the steady load, others, which have made no call for minutes, and the calls that were answered in a second by all. */
type Load = { clients: readonly Client[]; idle: readonly Client[]; perSecond: number };

/**
 * The first fault is none: the others are compared with it.
 * @param given of a system whose capacity was measured
 */
async function runPhases(
  { system, balancer, events, prefix }: FaultySystem,
  faults: readonly Fault[],
  appIds: readonly string[],
  given?: Load,
): Promise<Load> {
  const { MONGODB_URI: uri } = engines.settings;
  const keyCount = given?.clients.length ?? mostClients;
  const accounts = await createAccounts(uri, keyCount + moreAccounts, prefix);
  const keys = accounts.splice(0, keyCount).map(({ key }) => key);
  const [appId = '', ...trackedApps] = appIds;
  const all = await createClients(balancer, keys, trackedApps);
  const spent = createSpentRequests(() => new Date());
  let count = given?.clients.length ?? 0;
  let perSecond = given?.perSecond ?? 0;
  if (given) {
    const load = startLoad({ balancer, clients: all, everyMs, spent });
    await sleep(warmUpMs);
    await load.stop();
    await verifyEffects({ balancer, clients: all, spent, events });
  } else {
    const { answered, ms, bestPerSecond } = await measureCapacity({ balancer, clients: all, spent });
    // The system can do as many calls as it works off together with what they have begun, such as the scoring of keywords.
    const answeredAt = performance.now();
    await verifyEffects({ balancer, clients: all, spent, events });
    const capacity = Math.round((1000 * answered) / (ms + performance.now() - answeredAt));
    count = Math.round((capacity * loadShare * everyMs) / 1000);
    perSecond = bestPerSecond;
    console.log(
      `# ${capacity} calls a second answered, with what they have begun; the load is ${count} clients, ${Math.round((1000 * count) / everyMs)} calls a second`,
    );
  }
  const clients = all.slice(0, count);
  const deps: PhaseDeps = {
    system,
    balancer,
    clients,
    everyMs,
    spent,
    events,
    appId,
    takeAccount() {
      const account = accounts.pop();
      if (!account) throw new Error('too few accounts');
      return account;
    },
  };
  let baseline: readonly CallRecord[] = [];

  async function tryFault(fault: Fault): Promise<Verdict> {
    const phase = await runPhase(fault, deps);
    if (fault.row === 0) baseline = phase.records;
    const others = compareOthers(phase, baseline);
    const verdict = { phase, others, ...judge(phase, others, engines.database.isMongod) };
    console.log(describeVerdict(verdict));
    return verdict;
  }

  const chosen = faults.filter((one) => one.row === 0 || isChosen(one));
  // Row 2 attacks as row 1 does.
  const firstOfRow = chosen.filter(
    (one, index) => chosen.findIndex(({ row }) => row === one.row) === index && one.row !== 1,
  );
  for (const fault of values['one-per-row'] ? firstOfRow : chosen) {
    let verdict = await tryFault(fault);
    if (missesTimesOnly(verdict.goals)) {
      console.log('  again, because other work on this machine may have been the cause');
      const again = { ...(await tryFault(fault)), firstTry: verdict };
      // A second try that cannot be judged takes nothing back.
      const isTakenBack =
        worstOutcome(again.goals) !== 'not judged' || worstOutcome(verdict.goals) !== 'missed';
      if (isTakenBack) verdict = again;
    }
    verdicts.push(verdict);
    // A run that is ended keeps what it has found.
    if (!values['no-page'] && isChosen(fault)) updateTable(page, [verdict], []);
  }
  return { clients, idle: all.slice(count), perSecond };
}
