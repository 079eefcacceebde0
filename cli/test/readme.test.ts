import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, exitCodeTexts } from '../src/exit-codes.ts';
import { pasteReadme } from './harness/paste-readme.ts';

const page = readFileSync(join(__dirname, '../README.md'), 'utf8');

test('every block of the README prints what the page shows', async () => {
  expect(await pasteReadme(page, { tries: 30 })).toBe(page);
});

test('the README has the exit codes', () => {
  for (const [name, code] of Object.entries(exitCodes))
    expect(page).toContain(`| ${code} | ${exitCodeTexts[name as keyof typeof exitCodes]} |`);
});
