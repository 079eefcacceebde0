import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartName } from '@shelfwise/app/distributed/plan-processes';
import type { DistributedSystem } from '../lib/distributed-system.ts';
import { countListens, exitCodes, restartCopies, untilListening } from '../lib/rolling-restart.ts';
import type { Kind } from './clients.ts';
import { createAtOnce } from './create-at-once.ts';
import type { Engine, Engines } from './engines.ts';
import { freezeDecisions } from './freeze-decisions.ts';
import type { CauseDeps } from './phase.ts';

/** Something that is expected. `isTime`: of times and of calls that should notice nothing, which other work on the machine can spoil. */
export type Finding = { text: string; isMet: boolean; isTime?: boolean };

/** One line of the table. */
export type Fault = {
  /** The row of the table in docs/faults.md. The faults of one row differ in what is at fault. */
  row: number;
  name: string;
  /** For how long nothing can answer the calls concerned, in ms; 0 when another copy can. */
  awayMs: number;
  /** For how long nothing can carry events, in ms; null when the fault sets events no limit. */
  eventsAwayMs: number | null;
  /** What the other calls may take longer than twice the time without a fault, in ms. */
  addedMs: number;
  /** How many gateways may admit calls by windows of their own. */
  windowSets: 1 | 2;
  /** Whether its calls need what is at fault. Calls of other kinds should notice nothing. */
  concerns(kind: Kind): boolean;
  /** Whether the figures of calls depend on the database server, so that only a real one counts. */
  isOfDatabase: boolean;
  /** Causes the fault and takes it back. Resolves when the system can work again. */
  cause(deps: CauseDeps): Promise<Course | undefined>;
};

/** How a fault went: what only it shows, and its length when that depends on how long a process takes to start. */
export type Course = { findings?: readonly Finding[]; lengthMs?: number };

const freezeMs = 10_000;
/** Redis answers within 50 ms or not at all. */
const redisAddsMs = 100;
const serviceNames = ['tracking', 'scoring', 'store-fetch', 'niche', 'chart'] as const;
const partNames = [...serviceNames, 'gateway'] as const;

const harmless = {
  awayMs: 0,
  eventsAwayMs: 0,
  addedMs: 0,
  windowSets: 1,
  concerns: (): boolean => false,
  isOfDatabase: false,
} as const;

/** Every fault. @param deps.clockFile says by how many ms the second gateway's clock is ahead */
export function createFaultTable(deps: {
  system: DistributedSystem;
  engines: Engines;
  clockFile: string;
}): Fault[] {
  const { system, engines, clockFile } = deps;
  const { redis, kafka, database } = engines;

  const none: Fault = { ...harmless, row: 0, name: 'none', cause: wait(30_000) };
  const attack: Fault = {
    ...harmless,
    row: 1,
    name: 'bursts of one key over both gateways',
    // Longer than the longest window.
    cause: wait(62_000),
  };
  const clocks: Fault = {
    ...harmless,
    row: 2,
    name: 'the clocks of two gateways 800 ms apart',
    async cause() {
      writeFileSync(clockFile, '800');
      await sleep(62_000);
      writeFileSync(clockFile, '0');
      return undefined;
    },
  };

  const redisFault = { ...harmless, windowSets: 2, addedMs: redisAddsMs } as const;
  const ofRedis: Fault[] = [
    { ...redisFault, row: 3, name: 'Redis frozen for 10 s', cause: freezeEngine(redis) },
    { ...redisFault, row: 4, name: 'Redis killed, back after 5 s', cause: killEngine(redis, 5000) },
    {
      ...redisFault,
      row: 4,
      name: 'Redis killed, back after 5 s and empty',
      cause: killEngine(redis, 5000, redis.empty),
    },
    {
      ...redisFault,
      row: 5,
      name: 'Redis 20 ms slower, 1 % of the messages reset their connection, for 20 s',
      async cause() {
        redis.setFaults({ delayMs: 10, resetShare: 0.01 });
        await sleep(20_000);
        redis.setFaults({ delayMs: 0, resetShare: 0 });
        return undefined;
      },
    },
    {
      ...redisFault,
      row: 6,
      name: '100 decisions in flight when Redis freezes',
      cause: (phase) => freezeDecisions(redis, phase),
    },
  ];

  const frozenService = (part: PartName): Fault => ({
    ...harmless,
    row: 7,
    name: `${part}, both copies, frozen for 10 s`,
    awayMs: freezeMs,
    eventsAwayMs: freezeMs,
    concerns: needs(part),
    cause: () => freeze(system.pidsOf(part)),
  });
  const frozenCopy = (part: PartName): Fault => ({
    ...harmless,
    row: 7,
    name: `${part}, one of two copies, frozen for 10 s`,
    eventsAwayMs: null,
    concerns: needs(part),
    cause: () => freeze(system.pidsOf(part).slice(0, 1)),
  });
  const killedCopy = (part: PartName): Fault => ({
    ...harmless,
    row: 8,
    name: `${part}, one of two copies, killed`,
    eventsAwayMs: null,
    concerns: needs(part),
    async cause() {
      const listening = countListens(system, part);
      signal(system.pidsOf(part).slice(0, 1), 'SIGKILL');
      await untilListening(system, part, listening + 1);
      return undefined;
    },
  });
  const deadService: Fault = {
    ...harmless,
    row: 8,
    name: 'scoring, both copies, killed again and again for 12 s',
    awayMs: 12_000,
    eventsAwayMs: null,
    concerns: needs('scoring'),
    async cause() {
      const startedAt = performance.now();
      // They are started again after a second, and later each time.
      while (performance.now() < startedAt + 12_000) {
        signal(system.pidsOf('scoring'), 'SIGKILL');
        await sleep(200);
      }
      await untilListening(system, 'scoring', countListens(system, 'scoring') + 1);
      return { lengthMs: performance.now() - startedAt };
    },
  };

  const databaseFault = { ...harmless, row: 9, concerns: () => true, isOfDatabase: true } as const;
  const ofDatabase: Fault[] = [
    {
      ...databaseFault,
      name: 'the database frozen for 10 s',
      awayMs: freezeMs,
      eventsAwayMs: freezeMs,
      cause: freezeEngine(database),
    },
    {
      ...databaseFault,
      name: 'the database killed, back after 5 s',
      awayMs: 5000,
      eventsAwayMs: 5000,
      cause: killEngine(database, 5000),
    },
  ];
  const atOnce: Fault = {
    ...harmless,
    row: 10,
    name: 'the same create many times at once',
    cause: createAtOnce,
  };
  const ofKafka: Fault[] = [
    {
      ...harmless,
      row: 12,
      name: 'Kafka frozen for 10 s',
      eventsAwayMs: freezeMs,
      cause: freezeEngine(kafka),
    },
    {
      ...harmless,
      row: 12,
      name: 'Kafka killed, away for 60 s',
      eventsAwayMs: 60_000,
      cause: killEngine(kafka, 60_000),
    },
  ];
  const killedConsumer: Fault = {
    ...harmless,
    row: 13,
    name: 'scoring killed while it works off a backlog of events',
    awayMs: 5000,
    eventsAwayMs: null,
    concerns: needs('scoring'),
    async cause() {
      const pids = system.pidsOf('scoring');
      signal(pids, 'SIGSTOP');
      await sleep(5000);
      signal(pids, 'SIGCONT');
      await sleep(300);
      const listening = countListens(system, 'scoring');
      signal(pids.slice(0, 1), 'SIGKILL');
      await untilListening(system, 'scoring', listening + 1);
      return undefined;
    },
  };
  const rolling: Fault = {
    ...harmless,
    row: 14,
    name: 'every copy of every part restarted, one after another',
    eventsAwayMs: null,
    async cause({ untilCalm, countFailed }) {
      const before = exitCodes(system).length;
      const failed: string[] = [];
      for (const part of [...partNames, 'mcp'] as const) {
        const failedBefore = countFailed();
        await restartCopies(system, part, untilCalm);
        if (countFailed() > failedBefore) failed.push(`${part} ${countFailed() - failedBefore}`);
      }
      const codes = exitCodes(system).slice(before);
      const clean = codes.filter((code) => code === 'exit code 0').length;
      return {
        findings: [
          {
            text: `${clean} of ${codes.length} processes ended with exit code 0${failed.length > 0 ? `; failed calls while restarted: ${failed.join(', ')}` : ''}`,
            isMet: clean === codes.length,
          },
        ],
      };
    },
  };

  return [
    none,
    attack,
    clocks,
    ...ofRedis,
    ...serviceNames.map(frozenService),
    ...partNames.map(frozenCopy),
    ...partNames.map(killedCopy),
    deadService,
    ...ofDatabase,
    atOnce,
    ...ofKafka,
    killedConsumer,
    rolling,
  ];
}

/** Every call passes the gateways. */
const needs = (part: PartName) => (kind: Kind) => part === 'gateway' || kind.services.includes(part);

const wait = (ms: number) => async () => {
  await sleep(ms);
  return undefined;
};

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended since it was listed.
    }
  }
}

async function freeze(pids: readonly number[]): Promise<undefined> {
  signal(pids, 'SIGSTOP');
  await sleep(freezeMs);
  signal(pids, 'SIGCONT');
}

const freezeEngine = (engine: Engine) => async () => {
  engine.freeze();
  await sleep(freezeMs);
  engine.thaw();
  return undefined;
};

const killEngine =
  (engine: Engine, awayMs: number, whileAway = () => {}) =>
  async () => {
    const killedAt = performance.now();
    engine.kill();
    whileAway();
    await sleep(awayMs);
    await engine.restart();
    return { lengthMs: performance.now() - killedAt };
  };
