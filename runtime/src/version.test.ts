import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from './version.ts';

test('the version that runs is the version of the packages', () => {
  for (const file of ['../package.json', '../../package.json'])
    expect(JSON.parse(readFileSync(join(__dirname, file), 'utf8'))).toMatchObject({ version });
});
