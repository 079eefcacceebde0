import { createProgressLine } from './progress-line.ts';

function stream(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 20, written, write: (text: string) => written.push(text) };
}

test('a terminal shows one line, cut to its width and cleared at the end', () => {
  const terminal = stream(true);
  const line = createProgressLine(terminal);
  line.show('one', 0);
  line.show('a text that is longer than the terminal', 100);
  line.end();
  expect(terminal.written).toEqual(['\r\u001b[Kone', '\r\u001b[Ka text that is long', '\r\u001b[K']);
});

test('other outputs get a line every five seconds', () => {
  const file = stream(false);
  const line = createProgressLine(file);
  for (let second = 0; second <= 10; second++) line.show(`at ${second}`, second * 1000);
  line.end();
  expect(file.written).toEqual(['at 0\n', 'at 5\n', 'at 10\n']);
});
