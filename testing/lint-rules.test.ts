import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..');

/** Biome only remarks on a rule that fails to run, so that the lint would pass: here each rule refuses what it is for. */
const rules: [rule: string, refused: string[], allowed: string[]][] = [
  [
    'no-clock',
    [
      'Date.now();',
      'const read = performance.now;',
      'process.hrtime.bigint();',
      'process.uptime();',
      'new Promise((resolve) => setTimeout(resolve, 5));',
      'setTimeout(() => expect(1).toBe(1), 100);',
      'globalThis.setTimeout(() => {}, 5);',
      'promisify(setTimeout)(5);',
      "import { setTimeout } from 'node:timers/promises';",
      "import { setTimeout as sleep } from 'node:timers/promises';",
      "import { setImmediate as tick, setTimeout as rest } from 'node:timers/promises';",
      "import { scheduler } from 'node:timers/promises';",
      "import * as timers from 'node:timers/promises';",
    ],
    [
      'jest.setTimeout(120_000);',
      "jest.spyOn(globalThis, 'setTimeout');",
      'clock.now();',
      'new Promise((resolve) => setImmediate(resolve));',
      "import { setImmediate as turn } from 'node:timers/promises';",
    ],
  ],
  ['no-packing', ['createStore({ ...{ connection, clock } });'], ['createStore({ ...deps, clock });']],
];

test.each(rules)('%s refuses what it is for, and nothing else', (rule, refused, allowed) => {
  const folder = mkdtempSync(join(tmpdir(), 'shelfwise-lint-'));
  try {
    const config = { root: true, plugins: [join(root, `scripts/lint/${rule}.grit`)] };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'refused.ts'), refused.join('\n'));
    writeFileSync(join(folder, 'allowed.ts'), allowed.join('\n'));
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const args = ['lint', '--only=plugin', '--max-diagnostics=none', '--colors=off', folder];
    const { stdout, stderr } = spawnSync(process.execPath, [biome, ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    const found = [...`${stdout}${stderr}`.matchAll(/(\w+)\.ts:(\d+):\d+ plugin/g)];
    expect(new Set(found.map(([, file]) => file))).toEqual(new Set(['refused']));
    expect(new Set(found.map(([, , line]) => refused[Number(line) - 1]))).toEqual(new Set(refused));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
