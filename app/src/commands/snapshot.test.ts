import { readArguments } from './lib/define-command.ts';
import { snapshot } from './snapshot.ts';

const parse = (...words: string[]) => readArguments(snapshot, words, { SAMPLE_DAY: '2026-11-21' });

test('without options it reads what is due now', () => {
  expect(parse()).toEqual({ kind: 'command', asked: { all_of_today: false }, isJson: false });
});

test('--all reads all of today, --day another day; --json changes the output only', () => {
  expect(parse('--all', '--json')).toEqual({ kind: 'command', asked: { all_of_today: true }, isJson: true });
  expect(parse('--day', '2026-11-21')).toMatchObject({ asked: { all_of_today: false, day: '2026-11-21' } });
  expect(parse('--day', 'yesterday')).toMatchObject({ asked: { all_of_today: false, day: '2026-11-20' } });
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
