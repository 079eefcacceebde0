/**
 * Connects clients of the first generation of the protocol's SDK to the sample system, as a hosted assistant does: with nothing but the
 * address. These are an early one that has OAuth and this transport, one that reads the document of a resource, and the last. They come
 * from the npm registry, into a temporary folder. Ends with 3 when they cannot be had.
 */
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '../../testing/find-free-port.ts';
import { pageHeaders, signIn } from '../../testing/system/sign-in.ts';
import { startSystemProcess } from '../../testing/system/system-process.ts';

const versions = ['1.10.0', '1.12.0', '1.32.2'];

const folder = mkdtempSync(join(tmpdir(), 'shelfwise-sdk-'));
try {
  if (versions.every(install)) await connectAll();
  else process.exitCode = 3;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install(version: string): boolean {
  const cwd = join(folder, version);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{"private":true}');
  copyFileSync(resolve('mcp/scripts/first-generation-client.mjs'), join(cwd, 'client.mjs'));
  const sdk = `@modelcontextprotocol/sdk@${version}`;
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', sdk], {
      cwd,
      stdio: 'inherit',
    });
    return true;
  } catch {
    console.error(`${sdk} cannot be installed`);
    return false;
  }
}

async function connectAll(): Promise<void> {
  const port = String(await findFreePort());
  const url = `http://localhost:${port}`;
  const system = await startSystemProcess({
    SHELFWISE_DATA_DIR: join(folder, 'data'),
    PORT: port,
    PUBLIC_URL: url,
  });
  try {
    const cookie = await signIn(url, system.key ?? '');
    for (const version of versions) {
      const result = await connect(version, url, cookie);
      console.log(`${version}: ${JSON.stringify(result)}`);
      if (result.tools === 0 || result.plan !== 'unlimited' || !result.isRenewed) process.exitCode = 1;
    }
  } finally {
    await system.end('SIGINT');
  }
}

type Result = { tools: number; plan: string; isRenewed: boolean };

async function connect(version: string, url: string, cookie: string): Promise<Result> {
  const child = spawn(process.execPath, ['client.mjs', `${url}/mcp`], {
    cwd: join(folder, version),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return JSON.parse(line);
    const body = JSON.stringify({ query: new URL(line).search.slice(1), can_write: true });
    const headers = { ...pageHeaders, cookie };
    const answer = await fetch(`${url}/dashboard/connect`, { method: 'POST', headers, body });
    const { data } = (await answer.json()) as { data: { address: string } };
    child.stdin.write(`${data.address}\n`);
  }
  throw new Error(`the client of ${version} ended without a result`);
}
