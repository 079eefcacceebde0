// Packs the assistant server, installs it into an empty folder without a network, and calls a tool through it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { until } from './until.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {{ url: string, key: string }} api
 * @returns {Promise<{ tools: number, plan: string, withoutKey: { status: number | null, stdout: string, stderr: string } }>}
 */
export async function callPackedMcp({ url, key }) {
  const folder = mkdtempSync(join(tmpdir(), 'shelfwise-mcp-'));
  const run = (words, cwd) =>
    execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [packed] = JSON.parse(run(['pack', '-w', 'mcp', '--json', '--pack-destination', folder], root));
    run(['init', '-y'], folder);
    run(['install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)], folder);
    const command = join(folder, 'node_modules/.bin/shelfwise-mcp');
    const env = { PATH: process.env.PATH, SHELFWISE_BASE_URL: url };
    const withoutKey = spawnSync(command, { env, cwd: folder, encoding: 'utf8' });
    const client = new Client({ name: 'newcomer', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({ command, cwd: folder, env: { ...env, SHELFWISE_API_KEY: key } }),
    );
    try {
      const { tools } = await client.listTools();
      const usage = await until(() => readUsage(client));
      return { tools: tools.length, plan: usage?.plan, withoutKey };
    } finally {
      await client.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null while the answer says to try again, as it does on a busy machine. */
async function readUsage(client) {
  const { isError, content, structuredContent } = await client.callTool({
    name: 'get_account_usage',
    arguments: {},
  });
  if (!isError) return structuredContent.data;
  const text = content.map((part) => part.text).join(' ');
  if (!text.includes('Try again')) throw new Error(`get_account_usage: ${text}`);
  return null;
}
