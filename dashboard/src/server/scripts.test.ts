import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pages, scriptNames } from '../pages.ts';

const read = (path: string) => readFileSync(join(__dirname, path), 'utf8');

test('the bundle packs the script of each page', () => {
  const [, list = ''] = /const scriptNames = \[([^\]]*)\]/.exec(read('../../scripts/bundle.mjs')) ?? [];
  expect(list.split(', ')).toEqual(scriptNames.map((name) => `'${name}'`));
});

test.each(Object.entries(pages))('%s is drawn by the script that its HTML names', (page, { script }) => {
  expect(read(`../${script}.tsx`)).toContain(`'${page}'`);
});
