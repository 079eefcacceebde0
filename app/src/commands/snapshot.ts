import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { dayMs, isDay, utcDay } from '@shelfwise/runtime/day';
import { readConfig } from '@shelfwise/runtime/process/config';
import { createProgressLine } from '@shelfwise/runtime/process/progress-line';
import { snapshotConfig } from '../config.ts';
import { createSampleClock } from '../start/sample-clock.ts';
import { connectService } from './lib/connect-service.ts';
import { defineCommand } from './lib/define-command.ts';
import { explainCommandError } from './lib/explain-command-error.ts';
import { followSnapshotRun } from './lib/follow-snapshot-run.ts';
import { createSnapshotProgress, formatProgress } from './lib/snapshot-progress.ts';
import { formatSnapshotReport, reportSnapshots, type SnapshotRequest } from './lib/snapshot-report.ts';
import { startIfMain } from './lib/start-if-main.ts';

/**
 * Reads the ranks of a day, as the daily run does. The exit code is 1 while keywords are left. After Ctrl-C the service goes
 * on with the run.
 */
export const snapshot = defineCommand({
  usage: `Usage: npm run snapshot -- [options]

Reads the ranks of all keywords that are due now, like the daily run, and shows the progress.

  --all               also read keywords that are planned for later today
  --day <YYYY-MM-DD>  fill in one UTC day: today, a past date, or "yesterday"; keywords that have a snapshot of that
                      day are skipped; sample store only, because a real store shows only its current results
  --json              print one JSON document on stdout at the end; everything else goes to stderr
  --help              print this help

The command calls the service on TRACKING_ADDRESS if set, else the Shelfwise that runs on SHELFWISE_DATA_DIR.
Ctrl-C ends the command; the service continues.
Exit code: 0 everything was read, 1 something failed or is left, 2 invalid options.`,
  options: { all: { type: 'boolean' }, day: { type: 'string' } },
  read({ all = false, day }, _, env) {
    const now = createSampleClock(env.SAMPLE_DAY)();
    return toRequest(all, day === 'yesterday' ? utcDay(new Date(now.getTime() - dayMs)) : day, utcDay(now));
  },
  async run(asked, { env, stderr, watchSignals, print }) {
    const settings = readConfig(snapshotConfig, env);
    const line = createProgressLine(stderr);
    const toProgress = createSnapshotProgress();
    const { client, close } = await connectService(
      {
        service: TrackingServiceService,
        name: 'tracking',
        setting: 'TRACKING_ADDRESS',
        address: settings.TRACKING_ADDRESS,
      },
      { settings, print },
    );
    try {
      const run = await followSnapshotRun(asked, {
        tracking: client,
        signal: watchSignals(),
        onProgress: (state) =>
          line.show(formatProgress(toProgress(state, performance.now())), performance.now()),
      });
      const result = reportSnapshots(asked, run);
      return { result, exitCode: result.is_complete ? 0 : 1 };
    } finally {
      line.end();
      close();
    }
  },
  format: formatSnapshotReport,
  explain: (error) => explainCommandError(error, { on_day: 'day', all_of_today: 'all' }),
});

/** @throws Error with a message for the user */
function toRequest(all: boolean, day: string | undefined, today: string): SnapshotRequest {
  if (day === undefined) return { all_of_today: all };
  if (all) throw new Error('Use --all (today) or --day, not both.');
  if (!isDay(day)) throw new Error(`"${day}" is not a date. Use YYYY-MM-DD.`);
  if (day > today) throw new Error(`${day} is in the future: today is ${today} in UTC.`);
  return { all_of_today: false, day };
}

startIfMain(import.meta.filename, snapshot);
