import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { tools } from '@shelfwise/mcp/tools/index';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { type SystemProcess, startSystemProcess } from '../../testing/system/system-process.ts';

jest.setTimeout(180_000);

const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const sampleApp = '9005997251';
const rival = '9048598736';

let dataDir: string;
let system: SystemProcess;
const clients: Client[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sw-'));
  system = await startSystemProcess({ SHELFWISE_DATA_DIR: dataDir });
});
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
afterAll(async () => {
  await system.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

type Transport = 'stdio' | 'http';

async function connect(transport: Transport, key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    transport === 'http'
      ? new StreamableHTTPClientTransport(new URL(`${system.url}/mcp`), {
          requestInit: { headers: { Authorization: `Bearer ${key}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: nodeArguments('mcp/src/stdio.ts'),
          env: { SHELFWISE_API_KEY: key, SHELFWISE_BASE_URL: system.url },
        }),
  );
  clients.push(client);
  return client;
}

/** A new account: each has rate windows of its own. */
function createKey(email: string, plan = 'unlimited'): string {
  const words = ['create', '--email', email, '--plan', plan, '--json'];
  const args = [...nodeArguments('app/src/commands/account.ts'), ...words];
  const env = { ...process.env, SHELFWISE_DATA_DIR: dataDir };
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' })).key;
}

type Result = { isError?: boolean; text: string; data: unknown; meta: unknown };

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Result> {
  const result = await client.callTool({ name, arguments: input });
  const [content] = result.content as { text: string }[];
  const { data, meta } = (result.structuredContent ?? {}) as { data?: unknown; meta?: unknown };
  return { isError: result.isError === true, text: content?.text ?? '', data, meta };
}

/** Every tool once, each after those whose ids it needs. The client checks each answer against the output schema. */
function everyCall(appId: number): [name: string, input: Record<string, unknown>][] {
  const ofApp = { app_id: appId };
  return [
    ['list_applications', ofApp],
    ['track_keywords', { ...ofApp, ...market, keywords: ['habit tracker', 'daily planner'] }],
    ['list_keywords', ofApp],
    ['get_keyword_rank_history', { keyword_id: '1' }],
    ['set_keyword_favorite', { keyword_id: 1, ...ofApp, is_favorite: true }],
    ['untrack_keyword', { keyword_id: 2, ...ofApp }],
    ['inspect_keyword', { keyword: 'habit tracker', ...market }],
    ['list_keyword_inspections', {}],
    ['run_autocomplete', { prefix: 'habit', ...market }],
    ['list_autocomplete_history', {}],
    ['run_niche_analysis', { topic: 'habit tracker', ...market }],
    ['list_niche_analyses', {}],
    ['top_charts', { store: 'GPLAY', country: 'DE', limit: 3 }],
    ['list_top_chart_categories', { store: 'ITUNES' }],
    ['get_app_score_history', ofApp],
    ['get_aso_health', { ...ofApp, include_words: true }],
    ['check_metadata', { store: 'ITUNES', title: 'Habits' }],
    ['simulate_metadata', { ...ofApp, title: 'Habit Tracker: Daily Planner' }],
    ['list_metadata_simulations', { search: 'Planner' }],
    ['get_metadata_simulation', { simulation_id: 1 }],
    ['add_competitor', { ...ofApp, competitor_app_id: rival, ...market }],
    ['list_competitors', ofApp],
    ['remove_competitor', { relation_id: 1 }],
    ['get_account_usage', {}],
  ];
}

describe.each<Transport>(['stdio', 'http'])('over %s', (transport) => {
  let key: string;
  beforeAll(() => {
    key = createKey(`${transport}@example.com`);
  });

  test('all 25 tools can be called, and their answers match their schemas', async () => {
    const client = await connect(transport, key);
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));

    const added = await call(client, 'add_application', { app_id: sampleApp, ...market });
    const { id } = added.data as { id: number };
    const called = ['add_application'];
    for (const [name, input] of everyCall(id)) {
      const result = await call(client, name, adaptIds(name, input, transport));
      expect({ name, text: result.isError && result.text }).toEqual({ name, text: false });
      expect(JSON.parse(result.text)).toEqual(
        result.meta === undefined ? { data: result.data } : { data: result.data, meta: result.meta },
      );
      called.push(name);
    }
    expect(new Set(called)).toEqual(new Set(tools.map(({ name }) => name)));
  });

  test('eight calls at once all succeed', async () => {
    const client = await connect(transport, createKey(`parallel-${transport}@example.com`));
    const results = await Promise.all(Array.from({ length: 8 }, () => call(client, 'get_account_usage')));
    expect(results.filter(({ isError }) => isError)).toEqual([]);
  });

  test('an error says what is wrong and what to do', async () => {
    const client = await connect(transport, key);
    expect(await call(client, 'list_keywords', { sort: 'rank' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /there is no parameter sort\. Parameters: app_id, favorites, page, per_page\./,
      ),
    });
    expect(await call(client, 'list_keywords', { per_page: 5000 })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^INVALID_PARAMS: .*per_page.*"fieldErrors":\{"per_page"/s),
    });
    const ofCategory = { store: 'ITUNES', country: 'US', category: 'GAMES' };
    expect((await call(client, 'top_charts', ofCategory)).text).toMatch(/see list_top_chart_categories/);
    const unknown = client.readResource({ uri: 'shelfwise://applications/999/audit' });
    await expect(unknown).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/APP_NOT_FOUND: .*list_applications/s),
    });
    expect(await call(client, 'get_aso_health', { app_id: 999_999 })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^APP_NOT_FOUND: .*list_applications/s),
    });
    expect(await call(client, 'add_application', { app_id: sampleApp, ...market })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^DUPLICATE: .*details: \{"id":\d+\}$/s),
    });
  });

  test('prompts and resources are there', async () => {
    const client = await connect(transport, key);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['research_keywords', 'audit_and_rewrite']);
    const prompt = await client.getPrompt({ name: 'research_keywords', arguments: { subject: 'habits' } });
    expect(JSON.stringify(prompt.messages)).toContain('Research keywords for: habits');
    const { contents } = await client.readResource({ uri: 'shelfwise://usage' });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ plan: 'unlimited' });
    const { data: applications } = await call(client, 'list_applications');
    const [{ id }] = applications as [{ id: number }];
    for (const kind of ['listing', 'audit']) {
      const answer = await client.readResource({ uri: `shelfwise://applications/${id}/${kind}` });
      expect(JSON.stringify(answer)).toContain('Habitember');
    }
  });
});

/** The ids of what the second account makes are not 1: it takes them from its lists. */
function adaptIds(
  name: string,
  input: Record<string, unknown>,
  transport: Transport,
): Record<string, unknown> {
  if (transport === 'stdio') return input;
  if (name === 'remove_competitor') return { relation_id: 2 };
  if (name === 'get_metadata_simulation') return { simulation_id: 2 };
  return input;
}

test('/mcp answers its own page, not that of another site, with an event stream that is not compressed', async () => {
  const post = (headers: Record<string, string>) =>
    fetch(`${system.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${system.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'accept-encoding': 'br, gzip',
        'mcp-protocol-version': '2025-11-25',
        ...headers,
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
  expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
  const answer = await post({ origin: system.url });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-encoding')).toBeNull();
  expect(await answer.text()).toContain('get_account_usage');
});

describe('the local server', () => {
  async function run(env: Record<string, string>, args: string[] = []) {
    const child = spawn(process.execPath, [...nodeArguments('mcp/src/stdio.ts'), ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
    child.stdin.end();
    const [code] = await once(child, 'close');
    return { code, stdout, lines: stderr.trim().split('\n') };
  }

  test('ends with one helpful line without a key', async () => {
    expect(await run({})).toEqual({
      code: 1,
      stdout: '',
      lines: [expect.stringMatching(/SHELFWISE_API_KEY is missing: set it to your API key/)],
    });
  });

  test('ends with one line for a wrong address or option', async () => {
    const key = { SHELFWISE_API_KEY: 'sw_live_x' };
    expect((await run({ ...key, SHELFWISE_BASE_URL: 'localhost' })).lines).toEqual([
      expect.stringMatching(/SHELFWISE_BASE_URL must be an address/),
    ]);
    expect((await run(key, ['--prot'])).lines).toEqual([
      expect.stringMatching(/no option --prot; see --help/),
    ]);
  });

  test('writes nothing to stdout, and ends when its client is gone', async () => {
    expect(await run({ SHELFWISE_API_KEY: 'sw_live_x' })).toMatchObject({ code: 0, stdout: '' });
  });
});
