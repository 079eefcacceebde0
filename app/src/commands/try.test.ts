import { readArguments } from './lib/define-command.ts';
import { tryCommand } from './try.ts';

const parse = (words: string[]) => readArguments(tryCommand, words);

test('the defaults', () => {
  expect(parse([])).toEqual({
    kind: 'command',
    asked: { url: 'http://localhost:8080', appId: null, hasMcp: true },
    isJson: false,
  });
});

test('options', () => {
  expect(parse(['--url', 'https://aso.example/', '--app-id', '281796108', '--no-mcp', '--json'])).toEqual({
    kind: 'command',
    asked: { url: 'https://aso.example', appId: '281796108', hasMcp: false },
    isJson: true,
  });
  expect(parse(['--help'])).toEqual({ kind: 'help' });
});

test.each([
  [['--url', 'localhost:8080'], /--url must be/],
  [['--url', 'x'], /--url must be/],
  [['--app-id', 'com.example.app'], /--app-id must be digits/],
  [['--application', '1'], /--application/],
])('%j is refused', (args, message) => {
  expect(parse(args)).toEqual({ kind: 'usage-error', message: expect.stringMatching(message) });
});
