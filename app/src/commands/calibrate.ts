import { readConfig } from '@shelfwise/runtime/config';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { toPrintableJson, toPrintableLine, toPrintableLines } from '@shelfwise/runtime/printable';
import { firstSignal } from '@shelfwise/runtime/process/first-signal';
import { formatSummary } from '../calibration/format-report.ts';
import { scoresConfig } from '../config.ts';
import { createCalibrateProgress } from './calibrate-progress.ts';
import { explainCommandError } from './explain-command-error.ts';
import { calibrateUsage, parseCalibrateCommand } from './parse-calibrate-command.ts';
import { printResult } from './print-result.ts';
import { InvalidTermsError } from './read-known-terms.ts';
import { runCalibrateCommand } from './run-calibrate-command.ts';
import { createProgressLine } from './snapshot-progress.ts';

// npm run calibrate -- --terms FILE.csv [--score traffic] [--out FOLDER] [--fresh] [--json]
const line = createProgressLine(process.stderr);
try {
  const parsed = parseCalibrateCommand(process.argv.slice(2));
  if (parsed.kind === 'help') {
    console.log(calibrateUsage);
    process.exit(0);
  }
  if (parsed.kind === 'usage-error') {
    console.error(`${parsed.message}\n\n${calibrateUsage}`);
    process.exit(2);
  }
  const formatProgress = createCalibrateProgress();
  const { folder, report, failed, left } = await runCalibrateCommand(parsed.command, {
    settings: readConfig(scoresConfig, process.env),
    print: (text) => console.error(toPrintableLine(text)),
    onProgress: (progress) => line.show(formatProgress(progress, performance.now()), performance.now()),
    interrupted: firstSignal(process),
  });
  line.end();
  if (report === null) {
    console.error(
      `Stopped with ${left} ${nounFor(left, 'term')} left. What was read is in ${folder}; run the command again to go on.`,
    );
    process.exit(1);
  }
  const saved = `The report is in ${folder}: report.md, report.json, scatter.svg.`;
  if (failed > 0)
    console.error(
      `${failed} ${nounFor(failed, 'term')} without a score. Run the command again to try again.`,
    );
  if (parsed.isJson) console.error(saved);
  await printResult(
    parsed.isJson ? toPrintableJson(report) : toPrintableLines(`${formatSummary(report)}\n${saved}`),
  );
  process.exit(failed > 0 ? 1 : 0);
} catch (error) {
  line.end();
  if (error instanceof InvalidTermsError) {
    console.error(toPrintableLines(error.message));
    process.exit(2);
  }
  console.error(explainCommandError(error));
  process.exit(1);
}
