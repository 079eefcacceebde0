import { readConfig } from '@shelfwise/runtime/config';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { toPrintableJson, toPrintableLine, toPrintableLines } from '@shelfwise/runtime/printable';
import { formatSummary } from '../calibration/format-report.ts';
import { scoresConfig } from '../config.ts';
import { createCalibrateProgress } from './calibrate-progress.ts';
import {
  calibrateUsage,
  type ParsedCalibrateCommand,
  parseCalibrateCommand,
} from './parse-calibrate-command.ts';
import { runCalibrateCommand } from './run-calibrate-command.ts';
import type { Program } from './run-program.ts';
import { createProgressLine } from './snapshot-progress.ts';

/** Compares scores with known values of terms. */
export const calibrateProgram: Program<Extract<ParsedCalibrateCommand, { kind: 'command' }>> = {
  usage: calibrateUsage,
  parse: parseCalibrateCommand,
  async run({ command, isJson }, { env, stderr, watchSignals }, print) {
    const line = createProgressLine(stderr);
    const formatProgress = createCalibrateProgress();
    const { folder, report, failed, left } = await runCalibrateCommand(command, {
      settings: readConfig(scoresConfig, env),
      print: (text) => print(toPrintableLine(text)),
      onProgress: (progress) => line.show(formatProgress(progress, performance.now()), performance.now()),
      interrupted: watchSignals(),
    }).finally(line.end);
    if (report === null) {
      print(
        `Stopped with ${left} ${nounFor(left, 'term')} left. What was read is in ${folder}; run the command again to go on.`,
      );
      return { exitCode: 1 };
    }
    const saved = `The report is in ${folder}: report.md, report.json, scatter.svg.`;
    if (failed > 0)
      print(`${failed} ${nounFor(failed, 'term')} without a score. Run the command again to try again.`);
    if (isJson) print(saved);
    return {
      result: isJson ? toPrintableJson(report) : toPrintableLines(`${formatSummary(report)}\n${saved}`),
      exitCode: failed > 0 ? 1 : 0,
    };
  },
};
