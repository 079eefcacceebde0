import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeOpenFolder } from './describe-open-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'open-'));
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

test.each(['demo-key', 'store.mdb', 'secrets-key'])('the file %s that others can read', (name) => {
  const file = join(folder, name);
  chmodSync(folder, 0o700);
  writeFileSync(file, 'secret', { mode: 0o600 });
  expect(describeOpenFolder(folder)).toBeNull();
  chmodSync(file, 0o644);
  expect(describeOpenFolder(folder)).toBe(`Other users can read ${file}. Close it with: chmod 600 ${file}`);
  rmSync(file);
});
