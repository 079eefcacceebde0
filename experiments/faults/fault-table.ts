import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartName } from '@shelfwise/app/distributed/plan-processes';
import type { DistributedSystem } from '../lib/distributed-system.ts';
import { outcomeOf } from '../lib/judge-on-machine.ts';
import { countListens, exitCodes, restartCopies, untilListening } from '../lib/rolling-restart.ts';
import type { Kind } from './clients.ts';
import type { Engine, Engines } from './engines.ts';
import { type CauseDeps, type Course, defineFault, type Fault, type PhaseDeps } from './fault.ts';
import { freezeDecisions } from './freeze-decisions.ts';

const freezeMs = 10_000;
/** Redis answers within 50 ms or not at all. */
const redisAddsMs = 100;
/** The new processes start on the cores on which the others answer, which takes each of them some two seconds of CPU. */
const startAddsMs = 500;
/** Fifty creates at once take a second of two processors, with their listings and audits. Other calls wait with them. */
const createsAddMs = 500;
const serviceNames = ['tracking', 'scoring', 'store-fetch', 'niche', 'chart', 'notify'] as const;
const partNames = [...serviceNames, 'gateway'] as const;

/** Every fault. @param deps.clockFile says by how many ms the second gateway's clock is ahead */
export function createFaultTable(deps: {
  system: DistributedSystem;
  engines: Engines;
  clockFile: string;
}): Fault[] {
  const { system, engines, clockFile } = deps;
  const { redis, kafka, database } = engines;

  const ofRedis = { windowSets: 2, addedMs: redisAddsMs } as const;
  const ofDatabase = { concerns: () => true, isOfDatabase: true };
  return [
    defineFault(0, 'none', wait(30_000)),
    // Longer than the longest window.
    defineFault(1, 'bursts of one key over both gateways', wait(62_000)),
    defineFault(2, 'the clocks of two gateways 800 ms apart', async () => {
      writeFileSync(clockFile, '800');
      await sleep(62_000);
      writeFileSync(clockFile, '0');
      return undefined;
    }),
    defineFault(3, 'Redis frozen for 10 s', freezeEngine(redis), ofRedis),
    defineFault(4, 'Redis killed, back after 5 s', killEngine(redis, 5000), ofRedis),
    defineFault(4, 'Redis killed, back after 5 s and empty', killEngine(redis, 5000, redis.empty), ofRedis),
    defineFault(
      5,
      'Redis 20 ms slower, 1 % of the messages reset their connection, for 20 s',
      slowDown(redis),
      ofRedis,
    ),
    defineFault(
      6,
      '100 decisions in flight when Redis freezes',
      (phase) => freezeDecisions(redis, phase),
      ofRedis,
    ),
    ...serviceNames.map((part) =>
      defineFault(7, `${part}, both copies, frozen for 10 s`, () => freeze(system.pidsOf(part)), {
        awayMs: freezeMs,
        eventsAwayMs: freezeMs,
        concerns: needs(part),
      }),
    ),
    ...partNames.map((part) =>
      defineFault(
        7,
        `${part}, one of two copies, frozen for 10 s`,
        () => freeze(system.pidsOf(part).slice(0, 1)),
        {
          eventsAwayMs: null,
          concerns: needs(part),
        },
      ),
    ),
    ...partNames.map((part) =>
      defineFault(8, `${part}, one of two copies, killed`, () => killCopy(system, part), {
        eventsAwayMs: null,
        concerns: needs(part),
      }),
    ),
    defineFault(8, 'scoring, both copies, killed again and again for 12 s', () => killAgainAndAgain(system), {
      awayMs: 12_000,
      eventsAwayMs: null,
      concerns: needs('scoring'),
    }),
    defineFault(9, 'the database frozen for 10 s', freezeEngine(database), {
      ...ofDatabase,
      awayMs: freezeMs,
      eventsAwayMs: freezeMs,
    }),
    defineFault(9, 'the database killed, back after 5 s', killEngine(database, 5000), {
      ...ofDatabase,
      awayMs: 5000,
      eventsAwayMs: 5000,
    }),
    defineFault(10, 'the same create many times at once', createAtOnce, { addedMs: createsAddMs }),
    defineFault(12, 'Kafka frozen for 10 s', freezeEngine(kafka), { eventsAwayMs: freezeMs }),
    defineFault(12, 'Kafka killed, away for 60 s', killEngine(kafka, 60_000), { eventsAwayMs: 60_000 }),
    defineFault(13, 'scoring killed while it works off a backlog of events', () => killConsumer(system), {
      awayMs: 5000,
      eventsAwayMs: null,
      concerns: needs('scoring'),
    }),
    defineFault(
      14,
      'every copy of every part restarted, one after another',
      (phase) => restartAll(system, phase),
      { eventsAwayMs: null, addedMs: startAddsMs },
    ),
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

const slowDown = (redis: Engines['redis']) => async () => {
  redis.setFaults({ delayMs: 10, resetShare: 0.01 });
  await sleep(20_000);
  redis.setFaults({ delayMs: 0, resetShare: 0 });
  return undefined;
};

/** Until as many copies have begun to listen as before, and one more. */
async function killCopy(
  system: DistributedSystem,
  part: PartName,
  [pid = 0] = system.pidsOf(part),
): Promise<undefined> {
  const listening = countListens(system, part);
  signal([pid], 'SIGKILL');
  await untilListening(system, part, listening + 1);
}

async function killAgainAndAgain(system: DistributedSystem): Promise<Course> {
  const startedAt = performance.now();
  // They are started again after a second, and later each time.
  while (performance.now() < startedAt + 12_000) {
    signal(system.pidsOf('scoring'), 'SIGKILL');
    await sleep(200);
  }
  await untilListening(system, 'scoring', countListens(system, 'scoring') + 1);
  return { lengthMs: performance.now() - startedAt };
}

async function killConsumer(system: DistributedSystem): Promise<undefined> {
  const pids = system.pidsOf('scoring');
  signal(pids, 'SIGSTOP');
  await sleep(5000);
  signal(pids, 'SIGCONT');
  await sleep(300);
  await killCopy(system, 'scoring', pids);
}

async function restartAll(system: DistributedSystem, { untilCalm, countFailed }: CauseDeps): Promise<Course> {
  const before = exitCodes(system).length;
  const failed: string[] = [];
  for (const part of [...partNames, 'mcp'] as const) {
    const failedBefore = countFailed();
    await restartCopies(system, part, untilCalm);
    if (countFailed() > failedBefore) failed.push(`${part} ${countFailed() - failedBefore}`);
  }
  const codes = exitCodes(system).slice(before);
  const clean = codes.filter((code) => code === 'exit code 0').length;
  const noticed = failed.length > 0 ? `; failed calls while restarted: ${failed.join(', ')}` : '';
  const text = `${clean} of ${codes.length} processes ended with exit code 0${noticed}`;
  return { findings: [{ text, outcome: outcomeOf(clean === codes.length) }] };
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
