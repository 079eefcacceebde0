import { parseSnapshotCommand } from './parse-snapshot-command.ts';

const now = new Date('2026-11-21T12:00:00Z');
const parse = (...words: string[]) => parseSnapshotCommand(words, now);

test('without options it reads what is due now', () => {
  expect(parse()).toEqual({ kind: 'command', command: { all_of_today: false }, isJson: false });
});

test('--all reads all of today, --day another day; --json changes the output only', () => {
  expect(parse('--all', '--json')).toEqual({
    kind: 'command',
    command: { all_of_today: true },
    isJson: true,
  });
  expect(parse('--day', '2026-11-21')).toMatchObject({ command: { all_of_today: false, day: '2026-11-21' } });
  expect(parse('--day', 'yesterday')).toMatchObject({ command: { all_of_today: false, day: '2026-11-20' } });
});

test.each([
  [['--day', '2026-11-22'], /is in the future/],
  [['--day', '2026-02-30'], /is not a date/],
  [['--day', 'tomorrow'], /is not a date/],
  [['--day'], /argument missing/],
  [['--all', '--day', '2026-11-20'], /not both/],
  [['now'], /now/],
  [['--dya', '2026-11-20'], /--dya/],
])('%p is rejected with a message', (words, message) => {
  expect(parse(...words)).toEqual({ kind: 'usage-error', message: expect.stringMatching(message) });
});

test('--help asks for the help text', () => {
  expect(parse('--help')).toEqual({ kind: 'help' });
});
