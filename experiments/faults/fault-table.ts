import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartName } from '@shelfwise/app/distributed/plan-processes';
import type { DistributedSystem } from '../lib/distributed-system.ts';
import { restartCopies } from '../lib/rolling-restart.ts';
import type { Kind } from './clients.ts';
import type { Engine, Engines } from './engines.ts';
import type { PhaseDeps } from './phase.ts';

/** One line of the table. */
export type Fault = {
  /** The row of the design's table; the faults of a row differ in their place. */
  row: number;
  name: string;
  /** How long the longest outage of a client may be, in ms. */
  outageGoalMs: number;
  /** How many gateways may admit calls by windows of their own. */
  windowSets: 1 | 2;
  /** Whether its calls need what is at fault. Calls of other kinds should notice nothing. */
  concerns(kind: Kind): boolean;
  /** Whether the figures of calls depend on the database server, so that only a real one counts. */
  isOfDatabase?: boolean;
  /** Causes the fault and takes it back. Resolves when the system can work again. */
  cause(deps: PhaseDeps): Promise<void>;
};

/** What one fault of several copies may cost, and what is added to the length of a fault of all. */
const goalMs = 5000;
const freezeMs = 10_000;
const serviceNames = ['tracking', 'scoring', 'store-fetch', 'niche', 'chart'] as const;
const everything = () => true;
const nothing = () => false;

/** The whole table. @param deps.clockFile says by how much the second gateway's clock is ahead from its next start on */
export function createFaultTable(deps: {
  system: DistributedSystem;
  engines: Engines;
  clockFile: string;
}): Fault[] {
  const { system, engines, clockFile } = deps;
  const signal = (pids: readonly number[], name: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, name);
  };
  const needs = (part: PartName) => (kind: Kind) => part === 'gateway' || kind.services.includes(part);

  const freeze = async (pids: readonly number[]) => {
    signal(pids, 'SIGSTOP');
    await sleep(freezeMs);
    signal(pids, 'SIGCONT');
  };
  const freezeEngine = (engine: Engine) => async () => {
    engine.freeze();
    await sleep(freezeMs);
    engine.thaw();
  };
  const killEngine =
    (engine: Engine, awayMs: number, whileAway = () => {}) =>
    async () => {
      engine.kill();
      whileAway();
      await sleep(awayMs);
      await engine.restart();
    };
  /** The processes are started again after a second or more, and killed again. */
  const keepDead = async (part: PartName, ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; await sleep(200))
      signal(system.pidsOf(part), 'SIGKILL');
  };
  const untilRestarted = async (part: PartName, count: number) => {
    while (system.pidsOf(part).length < count) await sleep(100);
  };

  const oneCopy = (part: PartName): Fault[] => [
    {
      row: 7,
      name: `one of two copies of ${part} frozen for 10 s`,
      outageGoalMs: goalMs,
      windowSets: 1,
      concerns: needs(part),
      cause: () => freeze(system.pidsOf(part).slice(0, 1)),
    },
    {
      row: 8,
      name: `one of two copies of ${part} killed`,
      outageGoalMs: goalMs,
      windowSets: 1,
      concerns: needs(part),
      async cause() {
        signal(system.pidsOf(part).slice(0, 1), 'SIGKILL');
        await untilRestarted(part, 2);
      },
    },
  ];
  const allCopies = (part: PartName): Fault => ({
    row: 7,
    name: `both copies of ${part} frozen for 10 s`,
    outageGoalMs: freezeMs + goalMs,
    windowSets: 1,
    concerns: needs(part),
    cause: () => freeze(system.pidsOf(part)),
  });

  return [
    {
      row: 0,
      name: 'none',
      outageGoalMs: goalMs,
      windowSets: 1,
      concerns: nothing,
      cause: () => sleep(20_000),
    },
    {
      row: 1,
      name: 'bursts of one key over both gateways',
      outageGoalMs: goalMs,
      windowSets: 1,
      concerns: nothing,
      // Longer than the longest window.
      cause: () => sleep(62_000),
    },
    {
      row: 2,
      name: "two gateways' clocks 800 ms apart",
      outageGoalMs: goalMs,
      windowSets: 1,
      concerns: nothing,
      async cause() {
        writeFileSync(clockFile, '800');
        await restartCopies(system, 'gateway');
        await sleep(62_000);
        writeFileSync(clockFile, '0');
      },
    },
    {
      row: 3,
      name: 'Redis frozen for 10 s',
      outageGoalMs: goalMs,
      windowSets: 2,
      concerns: nothing,
      cause: freezeEngine(engines.redis),
    },
    {
      row: 4,
      name: 'Redis killed, back after 5 s with its data',
      outageGoalMs: goalMs,
      windowSets: 2,
      concerns: nothing,
      cause: killEngine(engines.redis, 5000),
    },
    {
      row: 4,
      name: 'Redis killed, back after 5 s, empty',
      outageGoalMs: goalMs,
      windowSets: 2,
      concerns: nothing,
      cause: killEngine(engines.redis, 5000, () => engines.redis.empty()),
    },
    {
      row: 5,
      name: 'Redis 20 ms slower, 1 % of the messages reset the connection, for 20 s',
      outageGoalMs: goalMs,
      windowSets: 2,
      concerns: nothing,
      async cause() {
        const { faults } = engines.redis.proxy;
        Object.assign(faults, { delayMs: 10, resetShare: 0.01 });
        await sleep(20_000);
        Object.assign(faults, { delayMs: 0, resetShare: 0 });
      },
    },
    ...serviceNames.map(allCopies),
    ...[...serviceNames, 'gateway' as const].flatMap(oneCopy),
    {
      row: 8,
      name: 'both copies of scoring dead for 12 s',
      outageGoalMs: 12_000 + goalMs,
      windowSets: 1,
      concerns: needs('scoring'),
      async cause() {
        await keepDead('scoring', 12_000);
        await untilRestarted('scoring', 2);
      },
    },
    {
      row: 9,
      name: 'the database frozen for 10 s',
      outageGoalMs: freezeMs + goalMs,
      windowSets: 1,
      concerns: everything,
      isOfDatabase: true,
      cause: freezeEngine(engines.database),
    },
    {
      row: 9,
      name: 'the database killed, back after 5 s',
      outageGoalMs: 5000 + goalMs,
      windowSets: 1,
      concerns: everything,
      isOfDatabase: true,
      cause: killEngine(engines.database, 5000),
    },
    {
      row: 12,
      name: 'Kafka frozen for 10 s',
      outageGoalMs: goalMs,
      windowSets: 1,
      concerns: nothing,
      cause: freezeEngine(engines.kafka),
    },
    {
      row: 12,
      name: 'Kafka killed, away for 60 s',
      outageGoalMs: goalMs,
      windowSets: 1,
      concerns: nothing,
      cause: killEngine(engines.kafka, 60_000),
    },
    {
      row: 14,
      name: 'rolling restart of every copy',
      outageGoalMs: goalMs,
      windowSets: 1,
      concerns: everything,
      async cause() {
        for (const part of [...serviceNames, 'gateway' as const]) await restartCopies(system, part);
      },
    },
  ];
}
