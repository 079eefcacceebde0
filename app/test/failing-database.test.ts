import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../../testing/system/api.ts';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { until } from '../../testing/until.ts';
import { storefront, trackExample, useSystems } from './use-systems.ts';

const { dataDir, start, startProcess, account } = useSystems();
const database = () => join(dataDir(), 'store.mdb');

/** Starts the system in a shell that refuses to let a file grow beyond `blocks` of 512 bytes. */
async function startWithFileLimit(blocks: number) {
  const limited = `ulimit -f ${blocks} && exec "$0" "$@"`;
  const child = spawn('sh', ['-c', limited, process.execPath, ...nodeArguments('app/src/main.ts')], {
    env: { ...process.env, PORT: '0', SHELFWISE_DATA_DIR: dataDir() },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  await until(() => output.includes('Ctrl-C stops it.') || child.exitCode !== null);
  const url = output.match(/Shelfwise listens on (\S+)/)?.[1] ?? '';
  return { url, key: output.match(/sw_live_\w+/)?.[0] ?? '', output: () => output, exited };
}

test('a system whose database cannot write ends, says why, and starts again with all acknowledged data', async () => {
  const first = await start();
  await trackExample(first);
  await first.end();
  const limited = await startWithFileLimit(Math.ceil(statSync(database()).size / 512) + 500);
  const api = createApi(limited.url, limited.key);
  const acknowledged: string[] = ['habit tracker', 'daily planner', 'routine'];
  let answer: { status: number } = { status: 200 };
  for (let batch = 0; answer.status === 200; batch += 1) {
    const keywords = Array.from({ length: 20 }, (_, n) => `planner ${batch} ${n}`);
    answer = await api('POST', '/keywords', { keywords, app_id: 1, ...storefront }).catch(() => ({
      status: 0,
    }));
    if (answer.status === 200) acknowledged.push(...keywords);
  }
  expect(await limited.exited).toEqual([1, null]);
  expect(limited.output().trim().split('\n').at(-1)).toMatch(
    /^The embedded database failed, so Shelfwise ends: .* the disk of the data folder .*, then start again\. Nothing that was acknowledged is lost\.$/i,
  );

  const again = await start();
  const { body } = await again.api('GET', '/keywords?per_page=1000');
  const names = body.data.map(({ keyword }: { keyword: string }) => keyword);
  expect(names).toEqual(expect.arrayContaining(acknowledged));
});

test.each<[string, () => void]>([
  ['cut off', () => truncateSync(database(), Math.floor(statSync(database()).size / 2))],
  ['is empty', () => truncateSync(database(), 0)],
  ['is not a database', () => writeFileSync(database(), 'no database '.repeat(2000))],
  [
    'is not a file',
    () => {
      rmSync(database());
      mkdirSync(database());
    },
  ],
])(
  'a start on a database file that %s ends with a sentence and exit code 1, and so does a command',
  async (problem, damage) => {
    await account(['create', '--email', 'a@b.c', '--plan', 'free']);
    damage();
    const sentence = new RegExp(
      `^The database file ${database()} .*${problem}.* Keep a copy of the folder, then restore a backup .*\\.$`,
    );
    const failed = await (problem === 'cut off' ? startProcess() : start()).catch(
      (error: Error) => error.message,
    );
    expect(failed).toMatch(/^the system ended with 1:\n/);
    expect(String(failed).trim().split('\n').at(-1)).toMatch(sentence);
    const command = await account(['list']);
    expect(command.code).toBe(1);
    expect(command.stderr.trim().split('\n').at(-1)).toMatch(sentence);
  },
);

test('a lock file that cannot be opened ends the start with a sentence', async () => {
  mkdirSync(join(dataDir(), 'store.mdb-lock'));
  await expect(start()).rejects.toThrow(
    /ended with 1:\nThe embedded database .* cannot be opened: .*store.mdb-lock is not a file/,
  );
});
