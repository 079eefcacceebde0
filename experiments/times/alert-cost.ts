import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allInOneConfig } from '@shelfwise/app/config';
import { type Services, startServices } from '@shelfwise/app/start/start-services';
import { createStores } from '@shelfwise/notify/create-stores';
import { createGiveDefaultRules } from '@shelfwise/notify/default-rules';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createLocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { readConfig } from '@shelfwise/runtime/process/config';
import { createRun, type Run } from '@shelfwise/runtime/process/run';
import { createExpectations } from '../lib/expectations.ts';
import { seedSampleKeywords } from '../lib/seed-sample-keywords.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { defineTimes } from './define-times.ts';
import { measureInTurns, ownCpuMicros } from './rounds.ts';

/** What alerts may add to the CPU time of a daily run. */
const mostRatio = 1.05;
/** Rarely: the progress of a run counts its keywords. */
const pollMs = 500;
/** Of `seedSampleKeywords`. */
const account = { id: 'size', listingId: 1 };

export const times = defineTimes({
  name: 'alert-cost',
  question:
    'How much CPU do alerts add to a daily run, for an account with the default rules and without rules?',
  options: {
    keywords: [1000, 'that the account tracks', [100, 20_000]],
    rounds: [5, 'days of each case', [1, 100]],
  },
  async run({ keywords, rounds }) {
    let day = 0;
    const now = () => new Date(Date.now() + day * dayMs);
    const logger = createLogger({ name: 'alert-cost', level: 'error', destination: process.stderr });
    const settings = readConfig(allInOneConfig, {
      SHELFWISE_DATA_DIR: join(temporaryFolder('alert-cost'), 'data'),
      LOG_LEVEL: 'error',
    });
    const run = createRun(logger);
    const worker = new URL(import.meta.resolve('@shelfwise/embedded/worker'));
    const host = { pid: process.pid, nodeVersion: process.versions.node };
    const services = await startServices({ settings, run, logger, worker, process: host, now });
    await seedSampleKeywords(services.databases.tracking, keywords, now());
    const alerts = await trackForAlerts(services, now);
    const readDay = await createReader(services, keywords, now, run.onStop);
    const expectations = createExpectations();

    const measure = (isTracked: boolean, hasRules: boolean) => async () => {
      day++;
      await alerts.set(isTracked, hasRules);
      const alertsBefore = await alerts.countAlerts();
      const before = ownCpuMicros();
      await readDay();
      const cpu = (ownCpuMicros() - before) / keywords;
      return { 'CPU µs of a keyword': cpu, alerts: (await alerts.countAlerts()) - alertsBefore };
    };
    const turns = await measureInTurns(
      [
        { name: 'no account for alerts', measure: measure(false, false) },
        { name: 'without rules', measure: measure(true, false) },
        { name: 'the default rules', measure: measure(true, true) },
      ],
      { rounds, columns: { 'CPU µs of a keyword': { isCompared: true }, alerts: {} } },
    );
    turns.print(`daily runs of ${keywords} keywords, scored`);
    const ratio = turns.ratio('the default rules', 'CPU µs of a keyword');
    const published = turns.figures('the default rules', 'alerts').reduce((sum, count) => sum + count, 0);
    expectations.expectThat(published > 0, `${published} alerts were published`);
    expectations.expectThat(
      ratio <= mostRatio,
      `with the default rules, a daily run takes ${ratio.toFixed(3)} times the CPU`,
    );
    process.exitCode = expectations.conclude();
    run.stop(0);
    await run.ended;
  },
});

/** Gives the seeded account to notify, as the events about it would. Its app stands on more pages than any other. */
async function trackForAlerts({ databases }: Services, now: () => Date) {
  const stores = createStores(databases.notify);
  const { trackedApps, trackedKeywords, listings } = stores;
  const at = new Date(now().getTime() - 2 * dayMs);
  const snapshots = await databases.tracking
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
  const rules = databases.notify.collection('alert_rules');
  const alerts = databases.notify.collection('alerts');
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
    countAlerts: () => alerts.countDocuments(),
  };
}

/** Reads all keywords on the day, and resolves when scoring and notify have done with them what they do. */
async function createReader(
  { tracking, databases }: Services,
  keywords: number,
  now: () => Date,
  onStop: Run['onStop'],
) {
  const { client, close } = createGrpcClient({
    service: TrackingServiceService,
    name: 'tracking',
    address: tracking,
  });
  onStop('client', async () => close());
  const call = () => ({ requestId: 'cost', deadline: new Date(Date.now() + 30_000) });
  const terms = databases.scoring.collection('terms');
  const pages = databases.notify.collection('keyword_pages');
  const until = async (isDone: () => Promise<boolean>) => {
    while (!(await isDone())) await sleep(pollMs);
  };
  return async (): Promise<void> => {
    const today = utcDay(now());
    await client.startSnapshotRun({ all_of_today: true }, call());
    await until(async () => (await client.getSnapshotRun({}, call())).run?.is_over ?? false);
    await until(async () => (await terms.countDocuments({ 'reading.page.day': today })) >= keywords);
    await until(async () => (await pages.countDocuments({ read_day: today })) >= keywords);
  };
}
