import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { eventsConfig } from '../config.ts';
import { runEventsCommand } from './run-events-command.ts';

test('brokers that do not answer are reported in one sentence', async () => {
  const run = runEventsCommand(
    { name: 'lag' },
    {
      settings: readConfig(eventsConfig, { KAFKA_BROKERS: '127.0.0.1:1' }),
      logger: createLogger({ name: 'test', level: 'silent', destination: process.stderr }),
      worker: new URL('file:///unused'),
      pid: 1,
      print: () => {},
    },
  );
  const error = await run.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toMatch(
    /^The brokers did not execute the command \(.*ECONNREFUSED.*\)\. Check/,
  );
});
