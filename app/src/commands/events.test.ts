import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventsResult } from '@shelfwise/runtime/events/event-admin';
import { runCommandHere } from '../../../testing/system/run-command-here.ts';
import { events } from './events.ts';
import { readArguments } from './lib/define-command.ts';

const format = (result: EventsResult) => events.format?.(result, { name: 'lag' }, {}) ?? '';

test.each([
  ['lag', { name: 'lag' }],
  ['dead-letters list', { name: 'list', group: null, limit: 50, after: null }],
  [
    'dead-letters list --group scoring --limit 1000 --after 2026-11-23T01:00:00.000Z/scoring:a',
    { name: 'list', group: 'scoring', limit: 1000, after: '2026-11-23T01:00:00.000Z/scoring:a' },
  ],
  ['dead-letters discard --id a', { name: 'discard', group: null, ids: ['a'] }],
  ['dead-letters replay --all', { name: 'replay', group: null, ids: null }],
  [
    'dead-letters replay --group tracking --id a --id b',
    { name: 'replay', group: 'tracking', ids: ['a', 'b'] },
  ],
])('events %s', (words, command) => {
  expect(readArguments(events, words.split(' '))).toEqual({ kind: 'command', asked: command, isJson: false });
});

test.each([
  ['', /^Use "dead-letters list"/],
  ['dead-letters', /^Use "dead-letters list"/],
  ['dead-letters list --limit 0', /^--limit must be a whole number from 1 to 1000/],
  ['dead-letters list --limit 1001', /^--limit must be/],
  ['dead-letters list --after yesterday', /^--after must be the cursor/],
  ['dead-letters discard', /^Use --id/],
  ['dead-letters discard --all', /^"dead-letters discard" has no option --all/],
  ['dead-letters replay', /^Use either --id or --all/],
  ['dead-letters replay --all --id a', /^Use either --id or --all/],
  ['lag --unknown', /unknown/],
  ['lag --group tracking', /^"lag" has no option --group\.$/],
  ['dead-letters list --all', /^"dead-letters list" has no option --all\.$/],
  ['dead-letters replay --all --limit 5 --json', /^"dead-letters replay" has no option --limit\.$/],
])('events %s is refused', (words, message) => {
  const parsed = readArguments(events, words === '' ? [] : words.split(' '));
  expect(parsed).toEqual({ kind: 'usage-error', message: expect.stringMatching(message) });
});

test('a data folder without a database has no events, and none is created', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shelfwise-events-'));
  for (const dataDir of [folder, join(folder, 'missing')])
    expect(await runCommandHere(events, ['lag'], { SHELFWISE_DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`The data folder ${dataDir} has no events: it has no database.`),
    });
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('brokers that do not answer are reported in one sentence', async () => {
  const { code, stderr } = await runCommandHere(events, ['lag'], { KAFKA_BROKERS: '127.0.0.1:1' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The brokers did not execute the command \(.*ECONNREFUSED.*\)\. Check/m);
});

const letter = {
  group: 'scoring',
  id: 'a',
  topic: 'things.made.v1',
  key: 'k',
  error: 'Error: cannot read it',
  attempts: 6,
  failed_at: '2026-11-23T01:00:00.000Z',
};

test('a page of dead letters ends with the cursor of the next one', () => {
  const next = '2026-11-23T01:00:00.000Z/scoring:a';
  const lines = format({ dead_letters: [letter], total: 1200, next }).split('\n');
  expect(lines.at(-1)).toBe(`1 of 1,200; the next page: --after ${next}`);
});

test('the last page says how many dead letters there are, the only page does not', () => {
  const last = format({ dead_letters: [letter], total: 1200, next: null });
  expect(last.split('\n').at(-1)).toBe('1 of 1,200');
  expect(format({ dead_letters: [letter], total: 1, next: null })).not.toContain('1 of');
});
