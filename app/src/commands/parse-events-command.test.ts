import { parseEventsCommand } from './parse-events-command.ts';

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
  expect(parseEventsCommand(words.split(' '))).toEqual({ kind: 'command', command, isJson: false });
});

test.each([
  ['', /^Use "dead-letters list"/],
  ['dead-letters', /^Use "dead-letters list"/],
  ['dead-letters list --limit 0', /^--limit must be a whole number from 1 to 1000/],
  ['dead-letters list --limit 1001', /^--limit must be/],
  ['dead-letters list --after yesterday', /^--after must be the place/],
  ['dead-letters discard', /^Use --id/],
  ['dead-letters discard --all', /^"dead-letters discard" has no option --all/],
  ['dead-letters replay', /^Use either --id or --all/],
  ['dead-letters replay --all --id a', /^Use either --id or --all/],
  ['lag --unknown', /unknown/],
  ['lag --group tracking', /^"lag" has no option --group\.$/],
  ['dead-letters list --all', /^"dead-letters list" has no option --all\.$/],
  ['dead-letters replay --all --limit 5 --json', /^"dead-letters replay" has no option --limit\.$/],
])('events %s is refused', (words, message) => {
  const parsed = parseEventsCommand(words === '' ? [] : words.split(' '));
  expect(parsed).toEqual({ kind: 'usage-error', message: expect.stringMatching(message) });
});
