import { parseTryCommand } from './parse-try-command.ts';

test('the defaults', () => {
  expect(parseTryCommand([])).toEqual({
    kind: 'command',
    url: 'http://localhost:8080',
    appId: null,
    hasMcp: true,
    isJson: false,
  });
});

test('options', () => {
  expect(
    parseTryCommand(['--url', 'https://aso.example/', '--app-id', '281796108', '--no-mcp', '--json']),
  ).toEqual({
    kind: 'command',
    url: 'https://aso.example',
    appId: '281796108',
    hasMcp: false,
    isJson: true,
  });
  expect(parseTryCommand(['--help'])).toEqual({ kind: 'help' });
});

test.each([
  [['--url', 'localhost:8080'], /--url must be/],
  [['--url', 'x'], /--url must be/],
  [['--app-id', 'com.example.app'], /--app-id must be digits/],
  [['--application', '1'], /--application/],
])('%j is refused', (args, message) => {
  expect(parseTryCommand(args)).toEqual({ kind: 'usage-error', message: expect.stringMatching(message) });
});
