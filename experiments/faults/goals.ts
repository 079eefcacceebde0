import { judgeGoal, type MachineGoal, noFailedCall, outcomeOf } from '../lib/judge-on-machine.ts';
import { quantile } from '../lib/quantile.ts';
import type { Kind } from './clients.ts';
import type { Finding } from './fault.ts';
import type { CallRecord } from './load.ts';
import type { Phase } from './phase.ts';
import type { Effects } from './verify-effects.ts';

/** What a fault may cost in addition to the time for which nothing can answer. */
const goalMs = 5000;
/** What one gateway admits of a key. */
const mostInASecond = 5;
const mostInAMinute = 59;
const gateways = 2;

const effectNames: { [Name in keyof Effects]: string } = {
  lostWrites: 'acknowledged writes lost',
  lostEvents: 'events lost',
  doubled: 'done twice',
  uncounted: 'API requests not counted',
};

/** Calls that do not need what is at fault, in the phase and without a fault. */
export type Others = { p99: number; baselineP99: number; failed: readonly CallRecord[] };

export function compareOthers({ fault, records }: Phase, baseline: readonly CallRecord[]): Others | null {
  const isOther = ({ client }: { client: { kind: Kind } }) => !fault.concerns(client.kind);
  const others = records.filter(isOther);
  if (others.length === 0) return null;
  const p99 = (calls: readonly CallRecord[]) =>
    quantile(
      calls.map(({ ms }) => ms),
      0.99,
    );
  return {
    p99: p99(others),
    baselineP99: p99(baseline.filter(isOther)),
    failed: others.filter(({ isGood }) => !isGood),
  };
}

/** Every goal of a phase, as a sentence. Those of times are judged against the bare server. `skipped` says why it has none. */
export function judge(
  phase: Phase,
  others: Others | null,
  isMongod: boolean,
): { goals: Finding[]; skipped: string[] } {
  const { fault, effects, windows, localDecisions, bare } = phase;
  const goals: Finding[] = [...phase.findings];
  const skipped: string[] = [];
  const expectThat = (isMet: boolean, text: string) => goals.push({ text, outcome: outcomeOf(isMet) });
  const expectOnMachine = (goal: MachineGoal, text: string) =>
    goals.push({ ...judgeGoal(text, goal), isTime: true });

  for (const [name, what] of Object.entries(effectNames) as [keyof Effects, string][])
    expectThat(
      effects[name].length === 0,
      `${what}: ${effects[name].length} ${effects[name].slice(0, 3).join('; ')}`,
    );
  // A gateway that Redis does not answer counts alone: each of its decisions may admit one call more.
  const most = (calls: number) => Math.min(gateways, fault.windowSets + localDecisions / calls) * calls;
  expectThat(
    windows.inASecond <= most(mostInASecond) && windows.inAMinute <= most(mostInAMinute),
    `one key: ${windows.inASecond} calls in a second, ${windows.inAMinute} in a minute; decisions without Redis ${localDecisions}`,
  );
  if (fault.isOfDatabase && !isMongod) {
    skipped.push('outages and times: the database is not MongoDB (MONGODB_URI)');
    return { goals, skipped };
  }
  const allowedMs = allowed(fault.awayMs, phase);
  expectOnMachine(
    { isMet: phase.outage.ms <= allowedMs, limitMs: goalMs, bare },
    `longest outage ${seconds(phase.outage.ms)} (${phase.outage.kind}), at most ${seconds(allowedMs)}`,
  );
  if (fault.eventsAwayMs !== null) {
    const allowedWayMs = allowed(fault.eventsAwayMs, phase);
    expectOnMachine(
      { isMet: phase.longestWayMs <= allowedWayMs, limitMs: goalMs, bare },
      `longest way of an event ${seconds(phase.longestWayMs)}, at most ${seconds(allowedWayMs)}`,
    );
  }
  if (others) {
    const allowedP99 = 2 * others.baselineP99 + fault.addedMs;
    expectOnMachine(
      { isMet: others.p99 <= allowedP99, limitMs: allowedP99, bare },
      `p99 of other calls ${Math.round(others.p99)} ms, at most ${Math.round(allowedP99)} ms`,
    );
    expectOnMachine(noFailedCall(others.failed, bare), `other calls failed: ${others.failed.length}`);
  }
  return { goals, skipped };
}

/** Whether the goals that are not met are all of times: lost or doubled data is never a matter of the machine. */
export function missesTimesOnly(goals: readonly Finding[]): boolean {
  const others = goals.filter(({ outcome }) => outcome !== 'met');
  return others.length > 0 && others.every(({ isTime }) => isTime);
}

/** @param awayMs for how long the fault should last for what is judged; 0 when something else can take over */
export function allowed(awayMs: number, { lengthMs }: Pick<Phase, 'lengthMs'>): number {
  return (awayMs === 0 ? 0 : Math.max(awayMs, lengthMs)) + goalMs;
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
