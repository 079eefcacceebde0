import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { toPrintableJson } from '@shelfwise/runtime/printable';
import { eventsConfig } from '../config.ts';
import { formatEventsResult } from './format-events-result.ts';
import { eventsUsage, type ParsedEventsCommand, parseEventsCommand } from './parse-events-command.ts';
import { runEventsCommand } from './run-events-command.ts';
import type { Program } from './run-program.ts';

/** Shows events that could not be applied, and applies them again. */
export const eventsProgram: Program<Extract<ParsedEventsCommand, { kind: 'command' }>> = {
  usage: eventsUsage,
  parse: parseEventsCommand,
  async run({ command, isJson }, { env, worker, pid, stderr }, print) {
    const settings = readConfig(eventsConfig, env);
    const logger = createLogger({ name: 'events', level: 'error', destination: stderr });
    const result = await runEventsCommand(command, { settings, logger, worker, pid, print });
    return { result: isJson ? toPrintableJson(result) : formatEventsResult(result) };
  },
};
