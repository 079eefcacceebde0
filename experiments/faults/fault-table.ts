import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartName } from '@shelfwise/app/distributed/plan-processes';
import type { DistributedSystem } from '../lib/distributed-system.ts';
import { outcomeOf } from '../lib/judge-on-machine.ts';
import { countListens, exitCodes, restartCopies, untilListening } from '../lib/rolling-restart.ts';
import type { Kind } from './clients.ts';
import type { Engine, Engines } from './engines.ts';
import type { Course, Fault, PhaseDeps } from './fault.ts';
import { freezeDecisions } from './freeze-decisions.ts';

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
            outcome: outcomeOf(clean === codes.length),
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

const accounts = 10;
/** The calls that a key may make in a second. */
const atOnce = 5;

/** Each account tracks one app several times at once. */
async function createAtOnce({ balancer, takeAccount, appId }: PhaseDeps): Promise<Course> {
  const body = { app_id: appId, store: 'ITUNES', country: 'US', lang: 'en-US' };
  const used = Array.from({ length: accounts }, takeAccount);
  const codes = await Promise.all(
    used.map(async ({ key }) => {
      const calls = Array.from({ length: atOnce }, () =>
        balancer.call({ key, method: 'POST', path: '/applications', body }),
      );
      return (await Promise.all(calls))
        .map(({ code, body }) => (code === 'SERVICE_UNAVAILABLE' ? body.error : code))
        .sort();
    }),
  );
  const isAsExpected = (given: readonly string[]) =>
    given[0] === '200' && given.slice(1).every((code) => code === 'DUPLICATE');
  const wrong = codes.filter((given) => !isAsExpected(given));
  return {
    findings: [
      {
        text: `${accounts} accounts, ${atOnce} creates each: one row and ${atOnce - 1} DUPLICATE for ${accounts - wrong.length} ${wrong[0] ?? ''}`,
        outcome: outcomeOf(wrong.length === 0),
      },
    ],
  };
}
