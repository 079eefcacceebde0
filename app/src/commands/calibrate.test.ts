import { resolve } from 'node:path';
import { calibrate } from './calibrate.ts';
import { readArguments } from './lib/define-command.ts';

const parse = (words: string[]) => readArguments(calibrate, words);

test('reads the options; traffic is compared by default', () => {
  expect(parse(['--terms', 'terms.csv'])).toEqual({
    kind: 'command',
    isJson: false,
    asked: { file: resolve('terms.csv'), folder: resolve('calibration'), score: 'traffic', isFresh: false },
  });
  const all = ['--terms', 'a.csv', '--score', 'KEI', '--out', 'b', '--fresh', '--json'];
  expect(parse(all)).toEqual({
    kind: 'command',
    isJson: true,
    asked: { file: resolve('a.csv'), folder: resolve('b'), score: 'kei', isFresh: true },
  });
  expect(parse(['-h'])).toEqual({ kind: 'help' });
});

test.each([
  [[], /--terms is missing/],
  [['--terms', ''], /--terms is missing/],
  [['--terms', 'a', '--score', 'volume'], /"volume" is not a score\. Use traffic, difficulty, kei\./],
  [['--terms', 'a', '--out', ''], /--out is empty/],
  [['--terms', 'a', 'b'], /Unexpected argument/],
  [['--terms', 'a', '--seed', '3'], /^Unknown option '--seed'\.$/],
])('%p is rejected with a message', (words, message) => {
  expect(parse(words)).toEqual({ kind: 'usage-error', message: expect.stringMatching(message) });
});
