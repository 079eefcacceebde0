import { readConfig } from '@shelfwise/runtime/config';
import { toPrintableJson, toPrintableLines } from '@shelfwise/runtime/printable';
import { firstSignal } from '@shelfwise/runtime/process/first-signal';
import { snapshotConfig } from '../config.ts';
import { createSampleClock } from '../start/sample-clock.ts';
import { explainCommandError } from './explain-command-error.ts';
import { parseSnapshotCommand, snapshotUsage } from './parse-snapshot-command.ts';
import { printResult } from './print-result.ts';
import { runSnapshotCommand } from './run-snapshot-command.ts';
import { createProgressLine, createSnapshotProgress, formatProgress } from './snapshot-progress.ts';
import { formatSnapshotReport, reportSnapshots } from './snapshot-report.ts';

// npm run snapshot -- [--all] [--day YYYY-MM-DD] [--json]
const line = createProgressLine(process.stderr);
try {
  const parsed = parseSnapshotCommand(process.argv.slice(2), createSampleClock(process.env.SAMPLE_DAY)());
  if (parsed.kind === 'help') {
    console.log(snapshotUsage);
    process.exit(0);
  }
  if (parsed.kind === 'usage-error') {
    console.error(`${parsed.message}\n\n${snapshotUsage}`);
    process.exit(2);
  }
  const { command, isJson } = parsed;
  const toProgress = createSnapshotProgress();
  const run = await runSnapshotCommand(command, {
    settings: readConfig(snapshotConfig, process.env),
    print: (text) => console.error(text),
    onProgress: (run) => line.show(formatProgress(toProgress(run, performance.now())), performance.now()),
    interrupted: firstSignal(process),
  });
  line.end();
  const report = reportSnapshots(command, run);
  await printResult(isJson ? toPrintableJson(report) : toPrintableLines(formatSnapshotReport(report)));
  process.exit(report.is_complete ? 0 : 1);
} catch (error) {
  line.end();
  console.error(explainCommandError(error, { on_day: 'day', all_of_today: 'all' }));
  process.exit(1);
}
