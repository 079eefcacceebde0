import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('an image is built of every workspace that the lock file names', () => {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const sent = read('.dockerignore').split('\n');
  const missing = workspaces.filter((workspace) => {
    const [folder = ''] = workspace.split('/');
    return !sent.includes(`!${folder}`) && !sent.includes(`!${workspace}/package.json`);
  });
  expect(missing).toEqual([]);
});
