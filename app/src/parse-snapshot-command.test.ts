import { parseSnapshotCommand } from './parse-snapshot-command.ts';

const now = new Date('2026-11-21T12:00:00Z');
const parse = (...words: string[]) => parseSnapshotCommand(words, now);

test('without a word it reads what is due now', () => {
  expect(parse()).toEqual({ kind: 'command', command: { all_of_today: false }, isJson: false });
});

test('--all reads all of today, --day another day, --json changes the output alone', () => {
  expect(parse('--all', '--json')).toEqual({
    kind: 'command',
    command: { all_of_today: true },
    isJson: true,
  });
  expect(parse('--day', '2026-11-21')).toMatchObject({ command: { all_of_today: false, day: '2026-11-21' } });
  expect(parse('--day', 'yesterday')).toMatchObject({ command: { all_of_today: false, day: '2026-11-20' } });
});

test.each([
  [['--day', '2026-11-22'], /not here yet/],
  [['--day', '2026-02-30'], /is no day/],
  [['--day', 'tomorrow'], /is no day/],
  [['--day'], /argument missing/],
  [['--all', '--day', '2026-11-20'], /not both/],
  [['now'], /now/],
  [['--dya', '2026-11-20'], /--dya/],
])('%p is refused with a sentence', (words, sentence) => {
  expect(parse(...words)).toEqual({ kind: 'usage-error', message: expect.stringMatching(sentence) });
});

test('--help explains', () => {
  expect(parse('--help')).toEqual({ kind: 'help' });
});
