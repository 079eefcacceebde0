import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Balancer } from '../lib/balancer.ts';
import { quantile } from '../lib/quantile.ts';
import { startAttack } from './attack.ts';
import type { Client } from './clients.ts';
import type { EventAudit } from './event-audit.ts';
import type { Fault } from './fault-table.ts';
import { type Record, type Spent, startLoad } from './load.ts';
import { longestOutage, recoveryTime } from './outages.ts';
import { verifyEffects } from './verify-effects.ts';

/** Slower answers count as not yet recovered. */
const slowMs = 1000;
const calmMs = 5000;
const longestRecoveryMs = 60_000;

export type Phase = {
  name: string;
  requests: number;
  acknowledgedWrites: number;
  /** How many calls failed, by code. */
  errors: ReadonlyMap<string, number>;
  /** The longest time for which one client had no answer, and what it called. */
  outage: { ms: number; kind: string };
  /** p99 of the calls that do not need what is at fault, in ms. */
  othersP99: number;
  othersErrors: number;
  recoveredAfterMs: number;
  longestWayMs: number;
  windows: { inASecond: number; inAMinute: number };
  effects: Awaited<ReturnType<typeof verifyEffects>>;
  load: number;
};

export type PhaseDeps = {
  balancer: Balancer;
  clients: readonly Client[];
  /** Between two calls of a client. */
  everyMs: number;
  spent: Spent;
  /** A key that no phase has used. */
  takeAttacker(): string;
  events: EventAudit;
};

/** One fault under load, from a calm system to a calm system. */
export async function runPhase(fault: Fault, deps: PhaseDeps): Promise<Phase> {
  const { balancer, events } = deps;
  const startedAt = Date.now();
  const load = startLoad(deps);
  const attack = startAttack(balancer, deps.takeAttacker());
  await sleep(calmMs);
  await fault.cause(deps);
  const liftedAt = performance.now();
  await untilCalm(load.records, liftedAt);
  const endAt = performance.now();
  await load.stop();
  const windows = await attack.stop();
  const effects = await verifyEffects(deps);
  const { records } = load;
  const others = records.filter(({ client }) => !fault.concerns(client.kind));
  return {
    name: fault.name,
    requests: records.length,
    acknowledgedWrites: records.filter(({ client, isGood }) => isGood && client.writer).length,
    errors: countCodes(records),
    outage: worstOutage(records, endAt),
    othersP99: quantile(
      others.map(({ ms }) => ms),
      0.99,
    ),
    othersErrors: others.filter(({ isGood }) => !isGood).length,
    recoveredAfterMs: recoveryTime(records, liftedAt, slowMs),
    longestWayMs: events.longestWay(startedAt),
    windows,
    effects,
    load: loadavg()[0] ?? 0,
  };
}

/** Until no call of the last seconds was bad. */
async function untilCalm(records: readonly Record[], liftedAt: number): Promise<void> {
  for (;;) {
    await sleep(500);
    const at = performance.now();
    if (at - liftedAt > longestRecoveryMs) return;
    if (at - liftedAt < 2 * calmMs) continue;
    if (recoveryTime(records, at - calmMs, slowMs) === 0) return;
  }
}

function countCodes(records: readonly Record[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { code, isGood } of records) if (!isGood) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

function worstOutage(records: readonly Record[], endAt: number): { ms: number; kind: string } {
  const clients = [...new Set(records.map(({ client }) => client))];
  const callsOf = (client: Client) => records.filter((record) => record.client === client);
  const outages = clients
    .map((client) => [client, callsOf(client)] as const)
    .map(([client, calls]) => ({
      ms: longestOutage(calls, endAt),
      kind: client.kind.name,
    }));
  return outages.sort((one, other) => other.ms - one.ms)[0] ?? { ms: 0, kind: '' };
}
