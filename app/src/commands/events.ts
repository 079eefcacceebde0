import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { toPrintableJson } from '@shelfwise/runtime/printable';
import { eventsConfig } from '../config.ts';
import { explainCommandError } from './explain-command-error.ts';
import { formatEventsResult } from './format-events-result.ts';
import { eventsUsage, parseEventsCommand } from './parse-events-command.ts';
import { printResult } from './print-result.ts';
import { runEventsCommand } from './run-events-command.ts';

// npm run events -- dead-letters list
try {
  const parsed = parseEventsCommand(process.argv.slice(2));
  if (parsed.kind === 'help') {
    console.log(eventsUsage);
    process.exit(0);
  }
  if (parsed.kind === 'usage-error') {
    console.error(`${parsed.message}\n\n${eventsUsage}`);
    process.exit(2);
  }
  const { command, isJson } = parsed;
  const settings = readConfig(eventsConfig, process.env);
  const logger = createLogger({ name: 'events', level: 'error', destination: process.stderr });
  const worker = new URL(import.meta.resolve('@shelfwise/embedded/worker'));
  const print = (line: string) => console.error(line);
  const result = await runEventsCommand(command, { settings, logger, worker, pid: process.pid, print });
  await printResult(isJson ? toPrintableJson(result) : formatEventsResult(result));
  process.exit(0);
} catch (error) {
  console.error(explainCommandError(error));
  process.exit(1);
}
