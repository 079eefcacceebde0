import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptNames } from '../pages.ts';

test('the bundle packs the script of each page', () => {
  const bundle = readFileSync(join(__dirname, '../../scripts/bundle.mjs'), 'utf8');
  const [, list = ''] = /const scriptNames = \[([^\]]*)\]/.exec(bundle) ?? [];
  expect(list.split(', ')).toEqual(scriptNames.map((name) => `'${name}'`));
  for (const name of scriptNames)
    expect([name, existsSync(join(__dirname, `../${name}.tsx`))]).toEqual([name, true]);
});
