import { readConfig } from '@shelfwise/runtime/config';
import { toPrintableJson, toPrintableLines } from '@shelfwise/runtime/printable';
import { scoresConfig } from '../config.ts';
import { createSampleClock } from '../start/sample-clock.ts';
import { formatBreakdown } from './format-breakdown.ts';
import { type ParsedScoresCommand, parseScoresCommand, scoresUsage } from './parse-scores-command.ts';
import type { Program } from './run-program.ts';
import { runScoresCommand } from './run-scores-command.ts';

/** Explains the scores of a keyword. */
export const scoresProgram: Program<Extract<ParsedScoresCommand, { kind: 'command' }>> = {
  usage: scoresUsage,
  parse: parseScoresCommand,
  async run({ command, isJson }, { env }, print) {
    const now = createSampleClock(env.SAMPLE_DAY)();
    const breakdown = await runScoresCommand(command, { settings: readConfig(scoresConfig, env), print });
    return {
      result: isJson ? toPrintableJson(breakdown) : toPrintableLines(formatBreakdown(breakdown, now)),
    };
  },
};
