import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { notifyDatabase } from '@shelfwise/notify/config';
import { createStores } from '@shelfwise/notify/create-stores';
import { createGiveDefaultRules } from '@shelfwise/notify/default-rules';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createLocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { scoringDatabase } from '@shelfwise/scoring/config';
import { trackingDatabase } from '@shelfwise/tracking/config';
import type { Connection } from 'mongoose';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { startServiceProcess } from '../../testing/system/service-process.ts';
import { createCleanup } from '../lib/cleanup.ts';
import { startDatabaseProcess } from '../lib/database-process.ts';
import { createExpectations } from '../lib/expectations.ts';
import { startBroker } from '../lib/own-broker.ts';
import { readUsage } from '../lib/process-figures.ts';
import { seedSampleKeywords } from '../lib/seed-sample-keywords.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { defineTimes } from './define-times.ts';
import { measureInTurns } from './rounds.ts';

/** What notify may take of what the rest of a daily run takes. */
const mostPercent = 5;
/** Rarely: the progress of a run counts its keywords. */
const pollMs = 500;
/** Until every process has read the file that shifts its clock. */
const shiftMs = 1000;
/** Of `seedSampleKeywords`. */
const account = { id: 'size', listingId: 1 };

export const times = defineTimes({
  name: 'alert-cost',
  question:
    'How much CPU do notify and its database take of a daily run, for an account with the default rules and without rules?',
  options: {
    keywords: [200, 'that the account tracks', [100, 20_000]],
    rounds: [3, 'days of each case', [1, 100]],
    seconds: [30, 'without work, in which the idle CPU is measured', [1, 600]],
    port: [19_292, 'of a broker of its own, and the next one'],
  },
  async run({ keywords, rounds, seconds, port }) {
    const cleanup = createCleanup();
    try {
      const system = await startParts(keywords, port, cleanup);
      const idle = await system.measure(() => sleep(seconds * 1000));
      const measure = (isTracked: boolean, hasRules: boolean) => async () => {
        await system.startDay();
        await system.alerts.set(isTracked, hasRules);
        const before = await system.alerts.count();
        const used = await system.measure(system.readDay);
        const cpuOf = (part: Part) => used.cpu[part] - (idle.cpu[part] * used.ms) / idle.ms;
        const own = cpuOf('notify') + cpuOf('its database');
        const rest = cpuOf('the rest');
        return {
          'notify ms': cpuOf('notify'),
          'its database ms': cpuOf('its database'),
          'the rest ms': rest,
          'percent of the rest': (100 * own) / rest,
          alerts: (await system.alerts.count()) - before,
        };
      };
      const withRules = 'the default rules';
      const turns = await measureInTurns(
        [
          { name: 'no account for alerts', measure: measure(false, false) },
          { name: 'without rules', measure: measure(true, false) },
          { name: withRules, measure: measure(true, true) },
        ],
        {
          rounds,
          columns: {
            'notify ms': {},
            'its database ms': {},
            'the rest ms': {},
            'percent of the rest': { digits: 1 },
            alerts: {},
          },
        },
      );
      turns.print(`CPU of daily runs of ${keywords} keywords, without what is taken when idle`);
      const { expectThat, conclude } = createExpectations();
      const published = turns.figures(withRules, 'alerts').reduce((sum, count) => sum + count, 0);
      expectThat(published > 0, `${published} alerts were published`);
      const percents = turns.figures(withRules, 'percent of the rest');
      expectThat(
        percents.every((percent) => percent <= mostPercent),
        `with the default rules, notify and its database take ${percents.map((one) => one.toFixed(1)).join(', ')} % of the CPU of the rest`,
      );
      process.exitCode = conclude();
    } finally {
      await cleanup.run();
    }
  },
});

const parts = ['notify', 'its database', 'the rest'] as const;
type Part = (typeof parts)[number];

/**
 * The services of a daily run in processes of their own, notify on a database that only it uses, so that what its queries take is
 * known, too. The broker's CPU is no part of the rest. All clocks move to the next day together.
 */
async function startParts(keywords: number, port: number, cleanup: ReturnType<typeof createCleanup>) {
  const folder = temporaryFolder('alert-cost');
  cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
  const logger = createLogger({ name: 'alert-cost', level: 'error', destination: process.stderr });
  const clockFile = join(folder, 'clock');
  let day = 0;
  const now = () => new Date(Date.now() + day * dayMs);
  // Its own clock stays behind.
  const broker = await startBroker(port, `log.message.timestamp.after.max.ms=${Number.MAX_SAFE_INTEGER}\n`);
  cleanup.add(broker.stop);
  const startDatabase = async (name: string) => {
    const database = await startDatabaseProcess(join(folder, name));
    cleanup.add(database.stop);
    await promisify(execFile)(process.execPath, nodeArguments('app/src/commands/migrate.ts'), {
      env: { ...process.env, MONGODB_URI: database.uri },
    });
    return database;
  };
  const connect = async ({ uri }: { uri: string }, database: string) => {
    const connection = await connectMongo({ uri, database, logger });
    cleanup.add(() => connection.close());
    return connection;
  };
  const [common, own] = [await startDatabase('common'), await startDatabase('notify')];
  const tracking = await connect(common, trackingDatabase);
  const terms = (await connect(common, scoringDatabase)).collection('terms');
  const notify = await connect(own, notifyDatabase);
  const pages = notify.collection('keyword_pages');
  await seedSampleKeywords(tracking, keywords, now());
  const alerts = await trackForAlerts(tracking, notify, now);

  const startService = async (name: string, more: Record<string, string>) => {
    const service = await startServiceProcess(`services/${name}/src/main.ts`, {
      KAFKA_BROKERS: broker.address,
      GRPC_ADDRESS: '127.0.0.1:0',
      LOG_LEVEL: 'error',
      NODE_OPTIONS: `--import ${new URL('../faults/shift-clock.mjs', import.meta.url).href}`,
      FAULTS_CLOCK_FILE: clockFile,
      // Of every process.
      FAULTS_CLOCK_PORT: '0',
      PORT: '0',
      ...more,
    });
    cleanup.add(() => service.end());
    if (!service.address || !service.pid) throw new Error(`${name} did not start:\n${service.output()}`);
    return { address: service.address, pid: service.pid };
  };
  const ofCommon = { MONGODB_URI: common.uri, STORE_SOURCE: 'sample' };
  const notifying = await startService('notify', { MONGODB_URI: own.uri });
  const storeFetch = await startService('store-fetch', ofCommon);
  const reading = { ...ofCommon, STORE_FETCH_ADDRESS: storeFetch.address };
  const scoring = await startService('scoring', reading);
  const snapshots = await startService('tracking', reading);
  const { client, close } = createGrpcClient({
    service: TrackingServiceService,
    name: 'tracking',
    address: snapshots.address,
  });
  cleanup.add(close);
  const call = () => ({ requestId: 'cost', deadline: new Date(Date.now() + 30_000) });
  const pids: Record<Part, readonly number[]> = {
    notify: [notifying.pid],
    'its database': [own.pid()],
    'the rest': [common.pid(), storeFetch.pid, scoring.pid, snapshots.pid],
  };
  const cpuOf = (part: Part) => pids[part].reduce((sum, pid) => sum + readUsage(pid).cpuMs, 0);
  const readCpu = () => Object.fromEntries(parts.map((part) => [part, cpuOf(part)])) as Record<Part, number>;
  const until = async (isDone: () => Promise<boolean>) => {
    while (!(await isDone())) await sleep(pollMs);
  };

  /** Reads all keywords on the day, and resolves when scoring and notify have done with them what they do. */
  async function readDay(): Promise<void> {
    const today = utcDay(now());
    await client.startSnapshotRun({ all_of_today: true }, call());
    await until(async () => (await client.getSnapshotRun({}, call())).run?.is_over ?? false);
    await until(async () => (await terms.countDocuments({ 'reading.page.day': today })) >= keywords);
    await until(async () => (await pages.countDocuments({ read_day: today })) >= keywords);
  }

  // All terms are new to scoring.
  await readDay();
  return {
    alerts,
    readDay,
    /** What `work` takes, in ms. */
    async measure(work: () => Promise<void>): Promise<{ ms: number; cpu: Record<Part, number> }> {
      const startedAt = performance.now();
      const before = readCpu();
      await work();
      const cpu = readCpu();
      for (const part of parts) cpu[part] -= before[part];
      return { ms: performance.now() - startedAt, cpu };
    },
    async startDay(): Promise<void> {
      day++;
      writeFileSync(clockFile, String(day * dayMs));
      await sleep(shiftMs);
    },
  };
}

/** Gives the seeded account to notify, as the events about it would. Its app stands on more pages than any other. */
async function trackForAlerts(tracking: Connection, notify: Connection, now: () => Date) {
  const stores = createStores(notify);
  const { trackedApps, trackedKeywords, listings } = stores;
  const at = new Date(now().getTime() - 2 * dayMs);
  const snapshots = await tracking
    .collection<{ keyword_id: number; app_ids: string[] }>('snapshots')
    .find({}, { projection: { keyword_id: 1, app_ids: 1 } })
    .toArray();
  const counts = new Map<string, number>();
  for (const id of snapshots.flatMap(({ app_ids: ids }) => ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const [appId = ''] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  await listings.saveNewest({
    id: account.listingId,
    app_id: appId,
    title: 'Cost',
    subtitle: null,
    version: null,
    score: null,
    score_day: null,
    chart_id: null,
    revision: 1,
    day: utcDay(at),
  });
  const giveDefaultRules = createGiveDefaultRules({ ...stores, locks: createLocksByKey(), now });
  await giveDefaultRules(account.id);
  const rules = notify.collection('alert_rules');
  // The sample's ranks move little.
  await rules.updateMany({ kind: 'rank_drop' }, { $set: { threshold: 1 } });
  const alerts = notify.collection('alerts');
  let changes = 0;
  return {
    async set(isTracked: boolean, hasRules: boolean): Promise<void> {
      changes++;
      const ofAccount = { account_id: account.id, listing_id: account.listingId };
      const event = { active: isTracked, at: new Date(at.getTime() + changes) };
      await trackedApps.save({ ...ofAccount, store: 'ITUNES', ...event });
      await trackedKeywords.saveTracked(
        snapshots.map(({ keyword_id }) => ({ key: { ...ofAccount, keyword_id }, ...event })),
      );
      await rules.updateMany({}, { $set: { is_enabled: hasRules } });
    },
    count: () => alerts.countDocuments(),
  };
}
