import { setTimeout as sleep } from 'node:timers/promises';
import type { Balancer } from '../lib/balancer.ts';
import { type BareFigures, startBareRun } from '../lib/bare-run.ts';
import { formatOutcome, type Judged, judgeGoal, outcomeOf, worstOutcome } from '../lib/judge-on-machine.ts';
import { quantile } from '../lib/quantile.ts';
import { type Client, createClients, findApps } from './clients.ts';
import { type CallRecord, startLoad } from './load.ts';
import { measureCapacity } from './measure-capacity.ts';
import { backAfter } from './outages.ts';
import { type FindingRow, listUnmet } from './report.ts';
import type { SpentRequests } from './spent-requests.ts';

const calmSeconds = 10;
const overloads = 2;
const overloadSeconds = 30;
const afterSeconds = 30;
const overloadFactor = 3;
/** A key may make fewer than 60 calls in a minute. */
const everyMs = 1250;
/** Slower answers than this, and than twice the p99 before the overload, count as not yet back. */
const leastSlowMs = 1000;

/**
 * The goals of row 15. `rss` is how much more a process may hold after the second overload than it held at most until the first one
 * was over, in MiB: memory that is free for reuse stays with a process until it needs more.
 */
const goals = { goodput: 0.7, p99Ms: 3000, backMs: 10_000, rss: 64 };

type Step = {
  sentPerSecond: number;
  goodPerSecond: number;
  /** The times of calls that were answered with 200, in ms. */
  p50: number;
  p99: number;
  /** The times of calls that were refused because of the load, in ms. */
  shedP99: number;
  codes: ReadonlyMap<string, number>;
};

export type Overload = {
  /** Calls answered in a second when callers send their next call at once. */
  capacity: number;
  calm: Step;
  rounds: readonly Round[];
  processes: ReadonlyMap<string, ProcessFigures>;
};

/** `bare`: what a bare server took meanwhile. */
type Round = {
  overload: Step & { bare: BareFigures };
  after: Step & { bare: BareFigures };
  backAfterMs: number;
};

/**
 * Resident memory in MiB before, at most, and at the end of each round with the most until then, and the longest time for which the
 * event loop was held.
 */
type ProcessFigures = {
  before: number;
  most: number;
  ends: readonly { rss: number; most: number }[];
  lagMs: number;
};

export type OverloadDeps = {
  balancer: Balancer;
  /** Makes `count` accounts, and returns their keys. */
  createKeys(count: number): Promise<string[]>;
  /** Clients of this system that have made no call in the last minute, and how many calls it answered in a second before it was warm. */
  earlier?: { idle: readonly Client[]; perSecond: number };
  /** The text of /metrics of every process, by its name. */
  readMetrics(): Promise<ReadonlyMap<string, string>>;
  spent: SpentRequests;
};

/** Half load, then twice: three times the capacity, half load. Every key stays below its own limits. */
export async function runOverload(deps: OverloadDeps): Promise<Overload> {
  const { balancer, createKeys, earlier, readMetrics, spent } = deps;
  const appIds = await findApps();
  const create = async (count: number) => createClients(balancer, await createKeys(count), appIds);
  const idle = earlier?.idle ?? [];
  const keys = earlier ? keysPerCall * earlier.perSecond : capacityKeys;
  const used = [...idle, ...(await create(Math.max(0, keys - idle.length)))];
  const { bestPerSecond: capacity } = await measureCapacity({ balancer, clients: used, spent });
  const measuredAt = performance.now();
  const count = (factor: number) => Math.ceil(capacity * factor * (everyMs / 1000));
  // Half the load comes from keys that have not called yet.
  const most = count(overloadFactor);
  const fresh = await create(Math.max(count(0.5), most - used.length));
  const clients = [...fresh, ...used].slice(0, most);
  const few = clients.slice(0, count(0.5));
  // The windows of all calls so far are over.
  await sleep(Math.max(2000, measuredAt + windowMs - performance.now()));
  const processes = await watchProcesses(readMetrics);
  const bareRun = await startBareRun();
  const run = async (some: readonly Client[], seconds: number) => {
    const startedAt = performance.now();
    const load = startLoad({ balancer, clients: some, everyMs, spent });
    await sleep(seconds * 1000);
    return { load, startedAt, endedAt: performance.now() };
  };
  const stepOf = ({ load, startedAt, endedAt }: Awaited<ReturnType<typeof run>>) =>
    describeStep(load.records, startedAt, endedAt);

  const calm = await run(few, calmSeconds);
  await calm.load.stop();
  const before = stepOf(calm);
  const slowMs = Math.max(leastSlowMs, 2 * before.p99);
  bareRun.read();
  const rounds: Round[] = [];
  for (let round = 0; round < overloads; round++) {
    const overload = await run(clients, overloadSeconds);
    const bareInOverload = bareRun.read();
    // The answers to the overload arrive while the half load goes on.
    const ended = overload.load.stop();
    const after = await run(few, afterSeconds);
    await Promise.all([ended, after.load.stop()]);
    await processes.endRound();
    rounds.push({
      overload: { ...stepOf(overload), bare: bareInOverload },
      after: { ...stepOf(after), bare: bareRun.read() },
      backAfterMs: backAfter(after.load.records, after.startedAt, slowMs),
    });
  }
  await bareRun.stop();
  return { capacity, calm: before, rounds, processes: await processes.stop() };
}

/** With this many keys each stays below its windows while the capacity is measured. */
const capacityKeys = 800;
/** The same for a system whose capacity was measured once: warm processes answer twice as many calls. */
const keysPerCall = 4;
/** A key's longest window, and some time for calls that are under way. */
const windowMs = 62_000;

function describeStep(records: readonly CallRecord[], startedAt: number, endedAt: number): Step {
  const seconds = (endedAt - startedAt) / 1000;
  const good = records.filter(({ isGood }) => isGood);
  const inTime = good.filter(({ sentAt, ms }) => sentAt + ms <= endedAt);
  const codes = new Map<string, number>();
  for (const { code, isGood } of records) if (!isGood) codes.set(code, (codes.get(code) ?? 0) + 1);
  const times = good.map(({ ms }) => ms);
  const shed = records.filter(({ code }) => code === 'SERVICE_UNAVAILABLE').map(({ ms }) => ms);
  return {
    sentPerSecond: records.length / seconds,
    goodPerSecond: inTime.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    shedP99: quantile(shed, 0.99),
    codes,
  };
}

/** Looks at the processes until `stop`. */
async function watchProcesses(readMetrics: OverloadDeps['readMetrics']) {
  const figures = new Map<string, ProcessFigures>();
  const look = async (isEnd = false) => {
    for (const [name, text] of await readMetrics()) {
      const read = (metric: string) => Number(new RegExp(`^${metric} (\\S+)`, 'm').exec(text)?.[1]);
      const rss = Math.round(read('process_resident_memory_bytes') / 2 ** 20);
      const lagMs = Math.round(read('nodejs_eventloop_lag_max_seconds') * 1000);
      const { before, most, ends, lagMs: longest } = figures.get(name) ?? newFigures(rss);
      const mostYet = Math.max(most, rss);
      figures.set(name, {
        before,
        most: mostYet,
        ends: isEnd ? [...ends, { rss, most: mostYet }] : ends,
        lagMs: Math.max(longest, lagMs),
      });
    }
  };
  let isOver = false;
  await look();
  const looking = (async () => {
    for (; !isOver; await sleep(2000)) await look().catch(() => {});
  })();
  return {
    endRound: () => look(true),
    async stop() {
      isOver = true;
      await looking;
      return figures;
    },
  };
}

function newFigures(rss: number): ProcessFigures {
  return { before: rss, most: rss, ends: [], lagMs: 0 };
}

/**
 * A goal for the times of calls, or for the answers in time. A refused call passes only the first steps of a gateway; when it
 * takes a third of the limit, the load and all processes wait for the processors of one machine.
 */
function judgeOnLoad(
  text: string,
  { shedP99, bare }: Round['overload'],
  { isMet, limitMs }: { isMet: boolean; limitMs: number },
): Judged {
  if (isMet || !(shedP99 > limitMs / 3)) return judgeGoal(text, { isMet, limitMs, bare });
  return { text: `${text} (p99 of refused calls ${Math.round(shedP99)} ms)`, outcome: 'not judged' };
}

/** Every goal of each overload. */
export function judgeOverload({ capacity, rounds, processes }: Overload): Judged[] {
  const ofRounds = rounds.flatMap(({ overload, after, backAfterMs }) => {
    const goodput = overload.goodPerSecond / capacity;
    return [
      judgeOnLoad(`goodput ${goodput.toFixed(2)} of the capacity`, overload, {
        isMet: goodput >= goals.goodput,
        limitMs: goals.p99Ms,
      }),
      judgeOnLoad(`p99 of answered calls ${Math.round(overload.p99)} ms`, overload, {
        isMet: overload.p99 <= goals.p99Ms,
        limitMs: goals.p99Ms,
      }),
      // Back means that calls are fast, so that is what the machine has to allow.
      judgeOnLoad(`back after ${(backAfterMs / 1000).toFixed(1)} s`, after, {
        isMet: backAfterMs <= goals.backMs,
        limitMs: leastSlowMs,
      }),
    ];
  });
  const growths = [...processes.values()].map(({ ends }) => (ends.at(-1)?.rss ?? 0) - (ends[0]?.most ?? 0));
  const growth = Math.max(...growths);
  const text = `the second overload left at most ${growth} MiB more in a process than it had held until the first one was over`;
  return [...ofRounds, { text, outcome: outcomeOf(growth <= goals.rss) }];
}

export function toOverloadRow(result: Overload): FindingRow {
  const judged = judgeOverload(result);
  const met = judged.filter(({ outcome }) => outcome === 'met').map(({ text }) => text);
  return {
    row: 15,
    name: 'three times what it can do for 30 s, then half of it, twice',
    finding: { text: [...met, ...listUnmet(judged)].join('; '), outcome: worstOutcome(judged) },
  };
}

/** The figures, and what became of the goals. */
export function describeOverload(result: Overload): string {
  const { capacity, calm, rounds, processes } = result;
  return [
    `\n# twice: three times the capacity of ${capacity} calls a second, then half of it`,
    describe('half', calm),
    ...rounds.flatMap(({ overload, after }) => [
      describe('three times', overload),
      describeBare(overload.bare),
      describe('half again', after),
      describeBare(after.bare),
    ]),
    ...[...processes].map(
      ([name, { before, most, ends, lagMs }]) =>
        `  ${name}: ${before} MiB, at most ${most}, after the overloads ${ends.map(({ rss }) => rss).join(' and ')}; event loop held ${lagMs} ms`,
    ),
    ...judgeOverload(result).map(formatOutcome),
  ].join('\n');
}

function describe(name: string, step: Step): string {
  const codes = [...step.codes].map(([code, count]) => `${code} ${count}`).join(', ') || 'none';
  return `${name}: ${Math.round(step.sentPerSecond)} sent, ${Math.round(step.goodPerSecond)} good a second; p50 ${Math.round(step.p50)}, p99 ${Math.round(step.p99)} ms; shed p99 ${Math.round(step.shedP99)} ms; errors ${codes}`;
}

function describeBare({ calls, p99, max }: BareFigures): string {
  return `  a bare server meanwhile: ${calls} calls, p99 ${Math.round(p99)}, slowest ${Math.round(max)} ms`;
}
