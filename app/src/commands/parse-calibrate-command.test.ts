import { parseCalibrateCommand } from './parse-calibrate-command.ts';

test('reads the options; traffic is compared by default', () => {
  expect(parseCalibrateCommand(['--terms', 'terms.csv'])).toEqual({
    kind: 'command',
    isJson: false,
    command: { terms: 'terms.csv', score: 'traffic', out: null, isFresh: false },
  });
  const all = ['--terms', 'a.csv', '--score', 'KEI', '--out', 'b', '--fresh', '--json'];
  expect(parseCalibrateCommand(all)).toEqual({
    kind: 'command',
    isJson: true,
    command: { terms: 'a.csv', score: 'kei', out: 'b', isFresh: true },
  });
  expect(parseCalibrateCommand(['-h'])).toEqual({ kind: 'help' });
});

test.each([
  [[], /--terms is missing/],
  [['--terms', ''], /--terms is missing/],
  [['--terms', 'a', '--score', 'volume'], /"volume" is not a score\. Use traffic, difficulty, kei\./],
  [['--terms', 'a', '--out', ''], /--out is empty/],
  [['--terms', 'a', 'b'], /Unexpected argument/],
  [['--terms', 'a', '--seed', '3'], /^Unknown option '--seed'\.$/],
])('%p is rejected with a message', (words, message) => {
  expect(parseCalibrateCommand(words)).toEqual({
    kind: 'usage-error',
    message: expect.stringMatching(message),
  });
});
