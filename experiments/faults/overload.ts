import { setTimeout as sleep } from 'node:timers/promises';
import type { Balancer } from '../lib/balancer.ts';
import { quantile } from '../lib/quantile.ts';
import { type Client, createClients, findApps } from './clients.ts';
import { type CallRecord, type Spent, startLoad } from './load.ts';
import { measureCapacity } from './measure-capacity.ts';
import type { FindingRow } from './report.ts';

const calmSeconds = 10;
const overloads = 2;
const overloadSeconds = 30;
const afterSeconds = 30;
const overloadFactor = 3;
/** A key may make fewer than 60 calls in a minute. */
const everyMs = 1250;
/** Slower answers count as not yet back. */
const slowMs = 1000;

/** The goals of row 15. `rss` is how much more a process may hold after the second overload than after the first, in MiB. */
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

type Round = { overload: Step; after: Step; backAfterMs: number };

/** Resident memory in MiB before, at most, and at the end of each round, and the longest time for which the event loop was held. */
type ProcessFigures = { before: number; most: number; ends: readonly number[]; lagMs: number };

export type OverloadDeps = {
  balancer: Balancer;
  /** Makes `count` accounts, and returns their keys. */
  createKeys(count: number): Promise<string[]>;
  /** The text of /metrics of every process, by its name. */
  readMetrics(): Promise<ReadonlyMap<string, string>>;
  spent: Spent;
};

/** Half load, then twice: three times the capacity, half load. Every key stays below its own limits. */
export async function runOverload(deps: OverloadDeps): Promise<Overload> {
  const { balancer, createKeys, readMetrics, spent } = deps;
  const appIds = await findApps();
  const capacityClients = await createClients(balancer, await createKeys(capacityKeys), appIds);
  const { bestPerSecond: capacity } = await measureCapacity({ balancer, clients: capacityClients, spent });
  const count = (factor: number) => Math.ceil(capacity * factor * (everyMs / 1000));
  const clients = await createClients(balancer, await createKeys(count(overloadFactor)), appIds);
  const few = clients.slice(0, count(0.5));
  // The windows of the calls that created the apps are over.
  await sleep(2000);
  const processes = await watchProcesses(readMetrics);
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
  const rounds: Round[] = [];
  for (let round = 0; round < overloads; round++) {
    const overload = await run(clients, overloadSeconds);
    // The answers to the overload arrive while the half load goes on.
    const ended = overload.load.stop();
    const after = await run(few, afterSeconds);
    await Promise.all([ended, after.load.stop()]);
    await processes.endRound();
    rounds.push({
      overload: stepOf(overload),
      after: stepOf(after),
      backAfterMs: backAfter(after.load.records, after.startedAt),
    });
  }
  return { capacity, calm: stepOf(calm), rounds, processes: await processes.stop() };
}

/** With this many keys each stays below its windows while the capacity is measured. */
const capacityKeys = 800;

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

/** The end of the last second in which more than a fiftieth of the sent calls were slow or failed, in ms after the overload. */
function backAfter(records: readonly CallRecord[], startedAt: number): number {
  const secondOf = ({ sentAt }: CallRecord) => Math.floor((sentAt - startedAt) / 1000);
  const seconds = new Map<number, CallRecord[]>();
  for (const record of records)
    seconds.set(secondOf(record), [...(seconds.get(secondOf(record)) ?? []), record]);
  const isBad = ({ ms, isGood }: CallRecord) => !isGood || ms > slowMs;
  const bad = [...seconds].filter(([, calls]) => calls.filter(isBad).length > calls.length / 50);
  return Math.max(0, ...bad.map(([second]) => 1000 * (second + 1)));
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
      figures.set(name, {
        before,
        most: Math.max(most, rss),
        ends: isEnd ? [...ends, rss] : ends,
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

/** The worst of both overloads, and how much memory the second one took in addition to the first. */
function summarize({ capacity, rounds, processes }: Overload) {
  const least = Math.min(...rounds.map(({ overload }) => overload.goodPerSecond));
  const growths = [...processes.values()].map(({ ends }) => (ends.at(-1) ?? 0) - (ends[0] ?? 0));
  return {
    goodput: least / capacity,
    p99: Math.max(...rounds.map(({ overload }) => overload.p99)),
    backMs: Math.max(...rounds.map(({ backAfterMs }) => backAfterMs)),
    growth: Math.max(...growths),
  };
}

/** The goals that were missed. */
export function findMissed(result: Overload): string[] {
  const { goodput, p99, backMs, growth } = summarize(result);
  return [
    goodput < goals.goodput && `goodput ${goodput.toFixed(2)}`,
    p99 > goals.p99Ms && `p99 ${Math.round(p99)} ms`,
    backMs > goals.backMs && `back after ${(backMs / 1000).toFixed(1)} s`,
    growth > goals.rss && `memory + ${growth} MiB`,
  ].filter((text) => text !== false);
}

export function toOverloadRow(result: Overload): FindingRow {
  const { goodput, p99, backMs, growth } = summarize(result);
  const missed = findMissed(result);
  const figures = [
    `goodput ${goodput.toFixed(2)} of the capacity`,
    `p99 of answered calls ${Math.round(p99)} ms`,
    `back after ${(backMs / 1000).toFixed(1)} s`,
    `the second overload left at most ${growth} MiB more in a process than the first`,
  ];
  return {
    row: 15,
    name: 'three times what it can do for 30 s, then half of it, twice',
    finding: {
      text: [...figures, ...missed.map((one) => `**missed: ${one}**`)].join('; '),
      isMet: missed.length === 0,
    },
  };
}

/** The figures, and which goals were missed. */
export function describeOverload(result: Overload): string {
  const { capacity, calm, rounds, processes } = result;
  const missed = findMissed(result);
  return [
    `\n# twice: three times the capacity of ${capacity} calls a second, then half of it`,
    describe('half', calm),
    ...rounds.flatMap(({ overload, after, backAfterMs }) => [
      describe('three times', overload),
      describe('half again', after),
      `goodput ${(overload.goodPerSecond / capacity).toFixed(2)} of the capacity; back after ${(backAfterMs / 1000).toFixed(1)} s`,
    ]),
    ...[...processes].map(
      ([name, { before, most, ends, lagMs }]) =>
        `  ${name}: ${before} MiB, at most ${most}, after the overloads ${ends.join(' and ')}; event loop held ${lagMs} ms`,
    ),
    missed.length === 0 ? 'goals reached' : `MISSED: ${missed.join(', ')}`,
  ].join('\n');
}

function describe(name: string, step: Step): string {
  const codes = [...step.codes].map(([code, count]) => `${code} ${count}`).join(', ') || 'none';
  return `${name}: ${Math.round(step.sentPerSecond)} sent, ${Math.round(step.goodPerSecond)} good a second; p50 ${Math.round(step.p50)}, p99 ${Math.round(step.p99)} ms; shed p99 ${Math.round(step.shedP99)} ms; errors ${codes}`;
}
