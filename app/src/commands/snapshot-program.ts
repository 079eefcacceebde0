import { readConfig } from '@shelfwise/runtime/config';
import { toPrintableJson, toPrintableLines } from '@shelfwise/runtime/printable';
import { snapshotConfig } from '../config.ts';
import { createSampleClock } from '../start/sample-clock.ts';
import { explainCommandError } from './explain-command-error.ts';
import { type ParsedSnapshotCommand, parseSnapshotCommand, snapshotUsage } from './parse-snapshot-command.ts';
import type { Program } from './run-program.ts';
import { runSnapshotCommand } from './run-snapshot-command.ts';
import { createProgressLine, createSnapshotProgress, formatProgress } from './snapshot-progress.ts';
import { formatSnapshotReport, reportSnapshots } from './snapshot-report.ts';

/** Reads the ranks of a day, as the daily run does. The exit code is 1 while keywords are left. */
export const snapshotProgram: Program<Extract<ParsedSnapshotCommand, { kind: 'command' }>> = {
  usage: snapshotUsage,
  parse: (args, { env }) => parseSnapshotCommand(args, createSampleClock(env.SAMPLE_DAY)()),
  async run({ command, isJson }, { env, stderr, watchSignals }, print) {
    const line = createProgressLine(stderr);
    const toProgress = createSnapshotProgress();
    const run = await runSnapshotCommand(command, {
      settings: readConfig(snapshotConfig, env),
      print,
      onProgress: (state) =>
        line.show(formatProgress(toProgress(state, performance.now())), performance.now()),
      interrupted: watchSignals(),
    }).finally(line.end);
    const report = reportSnapshots(command, run);
    return {
      result: isJson ? toPrintableJson(report) : toPrintableLines(formatSnapshotReport(report)),
      exitCode: report.is_complete ? 0 : 1,
    };
  },
  explain: (error) => explainCommandError(error, { on_day: 'day', all_of_today: 'all' }),
};
