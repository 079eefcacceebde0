/**
 * Lists the tools and calls one with the command line of the protocol's official inspector, over both transports and with the token of
 * a connection, on the sample system. The inspector needs a newer Node than Shelfwise does: both come from the npm registry, into a temporary
 * folder. Ends with 3 when they cannot be had.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findFreePort } from '../../testing/find-free-port.ts';
import { connectAssistant } from '../../testing/system/connect-assistant.ts';
import { signIn } from '../../testing/system/sign-in.ts';
import { startSystemProcess } from '../../testing/system/system-process.ts';

const inspector = '@modelcontextprotocol/inspector@2.12.0';
const node = 'node@22.23.3';

const folder = mkdtempSync(join(tmpdir(), 'shelfwise-inspector-'));
try {
  install();
  await inspect();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install(): void {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const words = ['install', '--no-audit', '--no-fund', '--loglevel=error', node, inspector];
  try {
    execFileSync('npm', words, { cwd: folder, stdio: 'inherit' });
    execFileSync(join(folder, 'node_modules/.bin/node'), ['--version']);
  } catch {
    console.error(`${inspector} with ${node} cannot be installed`);
    process.exit(3);
  }
}

async function inspect(): Promise<void> {
  const port = String(await findFreePort());
  const url = `http://localhost:${port}`;
  const settings = { SHELFWISE_DATA_DIR: join(folder, 'data'), PORT: port, PUBLIC_URL: url };
  const system = await startSystemProcess(settings);
  const { token } = await connectAssistant(url, await signIn(url, system.key ?? ''));
  const ofClient = { SHELFWISE_API_KEY: system.key ?? '', SHELFWISE_BASE_URL: system.url };
  const local = [
    ...Object.entries(ofClient).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    process.execPath,
    resolve('mcp/dist/stdio.js'),
  ];
  const remote = [`${url}/mcp`, '--transport', 'http', '--header'];
  const withKey = [...remote, `X-API-Key: ${system.key}`];
  const withToken = [...remote, `Authorization: Bearer ${token}`];
  try {
    for (const [name, target] of Object.entries({ stdio: local, http: withKey, token: withToken })) {
      const { tools } = run([...target, '--method', 'tools/list', '--strict']) as { tools: unknown[] };
      const called = run([...target, '--method', 'tools/call', '--tool-name', 'get_account_usage']);
      const { structuredContent } = called as { structuredContent?: { data: { plan: string } } };
      console.log(`${name}: ${tools.length} tools, the plan is ${structuredContent?.data.plan}`);
      if (tools.length === 0 || structuredContent?.data.plan !== 'unlimited') process.exitCode = 1;
    }
  } finally {
    await system.end('SIGINT');
  }
}

function run(words: readonly string[]): unknown {
  const bin = join(folder, 'node_modules/.bin');
  const output = execFileSync(join(bin, 'mcp-inspector'), ['--cli', ...words], {
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  return JSON.parse(output);
}
