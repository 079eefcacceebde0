import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Balancer } from '../lib/balancer.ts';
import { type BareFigures, startBareRun } from '../lib/bare-run.ts';
import type { DistributedSystem } from '../lib/distributed-system.ts';
import { countLocalDecisions } from '../lib/local-decisions.ts';
import { type CallTimes, mostWithin } from '../lib/most-within.ts';
import type { Fault, Finding, PhaseDeps } from './fault.ts';
import { type CallRecord, startLoad } from './load.ts';
import { type Outage, recoveryTime, worstOutage } from './outages.ts';
import { type Effects, verifyEffects } from './verify-effects.ts';

/** Slower answers count as not yet recovered. */
const slowMs = 1000;
const calmMs = 5000;
const longestRecoveryMs = 60_000;

/** What one fault has shown. */
export type Phase = {
  fault: Fault;
  records: readonly CallRecord[];
  outage: Outage;
  /** From the end of the fault to the end of the last call that failed or was slow. */
  recoveredAfterMs: number;
  /** The longest time from a change to the arrival of its event. */
  longestWayMs: number;
  /** The most calls of the attacker that were certainly admitted within such a time. */
  windows: { inASecond: number; inAMinute: number };
  /** Decisions that gateways made without Redis. */
  localDecisions: number;
  effects: Effects;
  findings: readonly Finding[];
  /** How long the fault lasted, when its course decides; else 0. */
  lengthMs: number;
  /** What a bare server took meanwhile. */
  bare: BareFigures;
  /** The load average of the machine. */
  machineLoad: number;
};

/** One fault under load, from a calm system to a calm system. */
export async function runPhase(fault: Fault, deps: PhaseDeps): Promise<Phase> {
  const { system, balancer, events } = deps;
  const bareRun = await startBareRun();
  const startedAt = Date.now();
  const localBefore = await readLocalDecisions(system);
  const load = startLoad(deps);
  const attack = startAttack(balancer, deps.takeAccount().key);
  await sleep(calmMs);
  const { findings = [], lengthMs = 0 } =
    (await fault.cause({
      ...deps,
      untilCalm: () => untilCalm(load.records, calmMs),
      countFailed: () => load.records.filter(({ isGood }) => !isGood).length,
    })) ?? {};
  const liftedAt = performance.now();
  await untilCalm(load.records, 2 * calmMs);
  const endAt = performance.now();
  await load.stop();
  const windows = await attack.stop();
  const bare = await bareRun.stop();
  const localDecisions = countNew(localBefore, await readLocalDecisions(system));
  const effects = await verifyEffects(deps);
  return {
    fault,
    records: load.records,
    outage: worstOutage(load.records, endAt),
    recoveredAfterMs: recoveryTime(load.records, liftedAt, slowMs),
    longestWayMs: events.longestWay(startedAt),
    windows,
    localDecisions,
    effects,
    findings,
    lengthMs,
    bare,
    machineLoad: loadavg()[0] ?? 0,
  };
}

/** Until no call of the last seconds was bad: for `leastMs` at least, for a minute at most. */
async function untilCalm(records: readonly CallRecord[], leastMs: number): Promise<void> {
  const beganAt = performance.now();
  for (;;) {
    await sleep(500);
    const at = performance.now();
    if (at - beganAt > longestRecoveryMs) return;
    if (at - beganAt >= leastMs && recoveryTime(records, at - calmMs, slowMs) === 0) return;
  }
}

/** By process. */
async function readLocalDecisions(system: DistributedSystem): Promise<Map<string, number>> {
  const texts = await system.readMetrics();
  return new Map([...texts].map(([name, text]) => [name, countLocalDecisions(text)]));
}

/** A process that was started again has counted from 0. */
function countNew(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [name, count] of after) {
    const known = before.get(name) ?? 0;
    sum += count < known ? count : count - known;
  }
  return sum;
}

const burst = 8;
/** Three times what a key may call, and little work compared with the load. */
const pauseMs = 500;

/**
 * Bursts of calls with one key over all gateways, until `stop`. Counts the admitted calls that were sent and answered
 * within one second, and within one minute: they were certainly decided in it.
 */
function startAttack(balancer: Balancer, key: string) {
  const admitted: CallTimes[] = [];
  const pending = new Set<Promise<void>>();
  let isOver = false;

  async function callOnce(): Promise<void> {
    const { status, sentAt, ms } = await balancer.call({ key, method: 'GET', path: '/account/usage' });
    if (status === 200) admitted.push({ sentAt, answeredAt: sentAt + ms });
  }

  async function attack(): Promise<void> {
    for (; !isOver; await sleep(pauseMs))
      for (let index = 0; index < burst; index++) {
        const one = callOnce().finally(() => pending.delete(one));
        pending.add(one);
      }
  }

  const attacking = attack();
  return {
    async stop() {
      isOver = true;
      await attacking;
      await Promise.all(pending);
      return { inASecond: mostWithin(admitted, 1000), inAMinute: mostWithin(admitted, 60_000) };
    },
  };
}
