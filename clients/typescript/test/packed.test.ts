import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningSystem } from '../../../testing/system/running-system.ts';
import { startSystemHere } from '../../../testing/system/start-system-here.ts';

const run = promisify(execFile);
const root = join(__dirname, '../../..');
const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
const programs = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, program = '']) => program);
let folder: string;
let system: RunningSystem;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sw-'));
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const pack = ['pack', '-w', 'clients/typescript', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse((await run('npm', pack, { cwd: root, env })).stdout);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const install = ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)];
  await run('npm', install, { cwd: folder, env });
  system = await startSystemHere({ SHELFWISE_DATA_DIR: join(folder, 'data'), SAMPLE_DAY: '2026-11-25' });
});
afterAll(async () => {
  await system.end();
  rmSync(folder, { recursive: true, force: true });
});

test('there are programs to paste', () => {
  expect(programs.length).toBeGreaterThan(1);
});

test.each(programs.map((program, index) => [index + 1, program]))(
  'program %i of the README runs with the packed client in an empty folder',
  async (index, program) => {
    const file = join(folder, `program-${index}.js`);
    writeFileSync(file, program.replaceAll('http://localhost:8080', system.url));
    const env = { PATH: process.env.PATH, SHELFWISE_API_KEY: system.key ?? '' };
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder, env });
    expect({ stderr, isSilent: stdout === '' }).toEqual({ stderr: '', isSilent: false });
  },
);

test('its types say what is null, and what a parameter may be', async () => {
  const file = join(folder, 'types.ts');
  writeFileSync(
    file,
    `import { createClient, type ListKeywordsRow } from '@shelfwise/client';
const client = createClient({ baseUrl: 'https://api', apiKey: 'k' });
export async function read(): Promise<void> {
  for await (const row of client.rows.listKeywords({ app_id: 1, sort: '-traffic' })) {
    const same: ListKeywordsRow = row;
    const rank: number | null = same.current_rank;
    // @ts-expect-error a rank may be null
    const certain: number = row.current_rank;
    console.log(rank, certain);
  }
  // @ts-expect-error it needs an id
  await client.getAsoHealth({});
  // @ts-expect-error there is no such store
  await client.searchApps({ term: 'x', store: 'OTHER', country: 'US', lang: 'en' });
}
`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const types = ['--typeRoots', join(root, 'node_modules/@types')];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, ...options, ...types, file], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
