import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCommandHere } from '../../testing/system/run-command-here.ts';
import { account } from '../src/commands/account.ts';
import { tryCommand } from '../src/commands/try.ts';
import { useSharedSystem } from './use-systems.ts';

const { dataDir, system } = useSharedSystem();

/** Runs the command on the data folder. */
const run = (...words: string[]) => runCommandHere(tryCommand, words, { SHELFWISE_DATA_DIR: dataDir() });

async function countAccounts(): Promise<number> {
  const { stdout } = await runCommandHere(account, ['list', '--json'], { SHELFWISE_DATA_DIR: dataDir() });
  return JSON.parse(stdout).total;
}

test('the main job works, and nothing of the account is left', async () => {
  const before = await countAccounts();
  const { code, stdout, stderr } = await run('--url', system().url, '--json');
  const { is_ok, steps } = JSON.parse(stdout);
  expect({
    code,
    is_ok,
    problems: steps.filter(({ problem }: { problem: unknown }) => problem !== null),
  }).toEqual({ code: 0, is_ok: true, problems: [] });
  expect(steps.map(({ step }: { step: string }) => step)).toEqual([
    'read a top chart',
    'track an app',
    'track three keywords',
    'scores arrive in the list',
    'the audit arrives in the list',
    'read the audit',
    'read a rank history',
    'call the assistant server',
  ]);
  expect(stderr).toMatch(/^ok {4}track an app \(\d+ ms\)$/m);
  expect(await countAccounts()).toBe(before);
});

test('the first step that fails is the last one, with the answer of the API', async () => {
  const { code, stdout, stderr } = await run('--url', system().url, '--app-id', '1');
  expect([code, stdout]).toEqual([1, 'The main job does not work.\n']);
  expect(stderr).toMatch(/^FAIL {2}track an app \(\d+ ms\): POST \/applications: 404 APP_NOT_FOUND: .+$/m);
  expect(stderr).not.toMatch(/keywords/);
});

test('a server that is no Shelfwise, and one that is away, are named', async () => {
  const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const other = await run('--url', url);
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringMatching(/200 without JSON. Is it a Shelfwise\?/),
  ]);
  server.close();
  await once(server, 'close');
  const away = await run('--url', url);
  expect([away.code, away.stderr]).toEqual([
    1,
    expect.stringMatching(/FAIL {2}read a top chart .*ECONNREFUSED/),
  ]);
});
