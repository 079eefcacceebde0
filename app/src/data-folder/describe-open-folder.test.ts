import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeOpenFolder } from './describe-open-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'open-'));
const key = join(folder, 'demo-key');
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [0o700, null],
  [0o755, null],
  [0o770, /^Other users can write to the data folder .*chmod 700/],
  [0o702, /^Other users can write to the data folder .*chmod 700/],
])('a data folder with mode %i', (mode, warning) => {
  chmodSync(folder, mode);
  expect(describeOpenFolder(folder) ?? '').toMatch(warning ?? /^$/);
});

test('a demo key that others can read', () => {
  chmodSync(folder, 0o700);
  writeFileSync(key, 'sw_live_x', { mode: 0o600 });
  expect(describeOpenFolder(folder)).toBeNull();
  chmodSync(key, 0o644);
  expect(describeOpenFolder(folder)).toBe(`Other users can read ${key}. Close it with: chmod 600 ${key}`);
});
