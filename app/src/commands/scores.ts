import { readConfig } from '@shelfwise/runtime/config';
import { toPrintableJson, toPrintableLines } from '@shelfwise/runtime/printable';
import { scoresConfig } from '../config.ts';
import { createSampleClock } from '../start/sample-clock.ts';
import { explainCommandError } from './explain-command-error.ts';
import { formatBreakdown } from './format-breakdown.ts';
import { parseScoresCommand, scoresUsage } from './parse-scores-command.ts';
import { printResult } from './print-result.ts';
import { runScoresCommand } from './run-scores-command.ts';

// npm run scores -- explain --store ITUNES --country US --keyword "photo editor" [--json]
try {
  const parsed = parseScoresCommand(process.argv.slice(2));
  if (parsed.kind === 'help') {
    console.log(scoresUsage);
    process.exit(0);
  }
  if (parsed.kind === 'usage-error') {
    console.error(`${parsed.message}\n\n${scoresUsage}`);
    process.exit(2);
  }
  const now = createSampleClock(process.env.SAMPLE_DAY)();
  const breakdown = await runScoresCommand(parsed.command, {
    settings: readConfig(scoresConfig, process.env),
    print: (text) => console.error(text),
  });
  await printResult(
    parsed.isJson ? toPrintableJson(breakdown) : toPrintableLines(formatBreakdown(breakdown, now)),
  );
  process.exit(0);
} catch (error) {
  console.error(explainCommandError(error));
  process.exit(1);
}
