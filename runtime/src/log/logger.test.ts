import { createLogger } from './logger.ts';

test('a line holds no control characters, however a text was written, and parses to the same text', () => {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'info',
    destination: { write: (line: string) => lines.push(line) },
  });
  const title = 'a\u001b[31m\u009b2J\u202eb\u007f';
  logger.info({ title }, 'two\nlines');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[ -~]+\n$/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ title, msg: 'two\nlines' });
});
