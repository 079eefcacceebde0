/**
 * Daily runs of one number of keywords, for `npm run times -- daily-run` and `disk`, in a process of its own so that memory
 * is measured separately: `seed FOLDER KEYWORDS` fills a data folder, `run FOLDER KEYWORDS DAYS [disk]` reads all keywords on
 * each day and prints a line of JSON for each fifth.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { allInOneConfig } from '@shelfwise/app/config';
import { startServices } from '@shelfwise/app/start/start-services';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { readConfig } from '@shelfwise/runtime/process/config';
import { createRun } from '@shelfwise/runtime/process/run';
import { type DiskUse, measureDisk } from './measure-disk.ts';
import { seedSampleKeywords } from './seed-sample-keywords.ts';

/** Rarely: the progress of a run counts its keywords, which is no part of the daily run. */
const pollMs = 500;

const [action, dataDir = '', size = '0', days = '0', disk = ''] = process.argv.slice(2);
const logger = createLogger({ name: 'daily-run-size', level: 'error', destination: process.stderr });
if (action === 'seed') await seed(Number(size));
else await measureRuns(Number(size), Number(days));

async function seed(count: number): Promise<void> {
  const { run, services } = await start({ DAILY_RUN: 'false' });
  await seedSampleKeywords(services.databases.tracking, count, new Date());
  run.stop(0);
  process.exit(await run.ended);
}

async function start(more: Record<string, string>, now = () => new Date()) {
  const settings = readConfig(allInOneConfig, { SHELFWISE_DATA_DIR: dataDir, LOG_LEVEL: 'error', ...more });
  const run = createRun(logger);
  const worker = new URL(import.meta.resolve('@shelfwise/embedded/worker'));
  const host = { pid: process.pid, nodeVersion: process.versions.node };
  return { run, services: await startServices({ settings, run, logger, worker, process: host, now }) };
}

/** One output line of `run`. */
export type SizeStep = {
  /** On the first day all terms are new to scoring; from the second on they are known. */
  day: number;
  done: number;
  /** Keywords that scoring has measured on this day. */
  scored: number;
  /** Since the run of the day was started. */
  ms: number;
  /** CPU time of the process since the run of the day was started, database thread included. */
  cpuMs: number;
  /** The memory of the process, including cached pages of the database file. */
  rssMiB: number;
  /** Without the pages of the database file; null when the operating system does not report it. */
  ownMiB: number | null;
  /** The JavaScript heap of the main thread after garbage collection. */
  heapMiB: number;
  isOver: boolean;
  /** At the end of a day, when it was asked for. */
  disk: DiskUse | null;
};

async function measureRuns(count: number, dayCount: number): Promise<void> {
  let day = 1;
  const now = () => new Date(Date.now() + (day - 1) * dayMs);
  const { run, services } = await start({}, now);
  const { client, close } = createGrpcClient({
    service: TrackingServiceService,
    name: 'tracking',
    address: services.tracking,
  });
  const terms = services.databases.scoring.collection('terms');
  const countScored = () => terms.countDocuments({ 'reading.page.day': utcDay(now()) });
  for (; day <= dayCount; day++) await measureDay();
  close();
  run.stop(0);
  process.exit(await run.ended);

  async function measureDay(): Promise<void> {
    const call = () => ({ requestId: 'size', deadline: new Date(Date.now() + 30_000) });
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    await client.startSnapshotRun({ all_of_today: true }, call());
    const reportEvery = count / 5;
    let reportAt = reportEvery;
    for (let isOver = false; !isOver; ) {
      await sleep(pollMs);
      const { run: state } = await client.getSnapshotRun({}, call());
      const done = state?.done ?? 0;
      const isRead = state?.is_over ?? false;
      if (!isRead && done < reportAt) continue;
      const scored = await countScored();
      // The run costs what scoring does with its pages, too.
      isOver = isRead && scored >= done;
      if (isRead && !isOver) {
        // The count reads every term.
        await sleep(count / 50);
        continue;
      }
      while (reportAt <= done) reportAt += reportEvery;
      const ms = Math.round(performance.now() - startedAt);
      const { user, system } = process.cpuUsage(cpuBefore);
      const cpuMs = Math.round((user + system) / 1000);
      const used = isOver && disk !== '' ? await measureDisk({ dataDir, services, now: now() }) : null;
      const step: SizeStep = { day, done, scored, isOver, ms, cpuMs, ...measureMemory(), disk: used };
      console.log(JSON.stringify(step));
    }
  }
}

function measureMemory(): Pick<SizeStep, 'rssMiB' | 'ownMiB' | 'heapMiB'> {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
  return { rssMiB: mib(rss), ownMiB: readOwnMiB(), heapMiB: mib(heapUsed) };
}

function readOwnMiB(): number | null {
  try {
    const kib = readFileSync('/proc/self/status', 'utf8').match(/RssAnon:\s+(\d+) kB/)?.[1];
    return kib === undefined ? null : Math.round(Number(kib) / 1024);
  } catch {
    return null;
  }
}
