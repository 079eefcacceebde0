import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { eventsConfig } from '../config.ts';
import { runEventsCommand } from './run-events-command.ts';

function readLag(environment: Record<string, string>) {
  return runEventsCommand(
    { name: 'lag' },
    {
      settings: readConfig(eventsConfig, environment),
      logger: createLogger({ name: 'test', level: 'silent', destination: process.stderr }),
      worker: new URL('file:///unused'),
      pid: 1,
      print: () => {},
    },
  );
}

test('a data folder without a database has no events, and none is created', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shelfwise-events-'));
  for (const dataDir of [folder, join(folder, 'missing')])
    await expect(readLag({ SHELFWISE_DATA_DIR: dataDir })).rejects.toThrow(
      `The data folder ${dataDir} has no events: it has no database.`,
    );
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('brokers that do not answer are reported in one sentence', async () => {
  const error = await readLag({ KAFKA_BROKERS: '127.0.0.1:1' }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toMatch(
    /^The brokers did not execute the command \(.*ECONNREFUSED.*\)\. Check/,
  );
});
