import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { tools } from '@shelfwise/mcp/tools/index';
import { createApi } from '../../testing/system/api.ts';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { useSharedSystem } from './use-systems.ts';

const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const sampleApp = '9005997251';
const rival = '9048598736';

const { system } = useSharedSystem();
const clients: Client[] = [];

afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

type Transport = 'stdio' | 'http';

/** In the process of the local server the time runs fast: its rate windows are over when the next call comes. */
const fastClock = ['--import', './testing/fast-clock.mjs'];
/** In ms: longer than the window of five calls, also as an assistant server keeps it. */
const windowMs = 1200;

/** @param flags of Node.js, for the local server */
async function connect(transport: Transport, key: string, flags = fastClock): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    transport === 'http'
      ? new StreamableHTTPClientTransport(new URL(`${system().url}/mcp`), {
          requestInit: { headers: { Authorization: `Bearer ${key}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: [...flags, ...nodeArguments('mcp/src/stdio.ts')],
          env: { SHELFWISE_API_KEY: key, SHELFWISE_BASE_URL: system().url },
        }),
  );
  clients.push(client);
  return client;
}

/** A new account: each has rate windows, and data, of its own. */
async function createKey(email: string, plan = 'unlimited'): Promise<string> {
  return (await system().system.accounts.create({ email, plan })).key;
}

type Result = { isError?: boolean; text: string; data: unknown; meta: unknown };

/** Calls a tool when the rate windows of the system are over. */
async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Result> {
  system().pass(windowMs);
  const result = await client.callTool({ name, arguments: input });
  const [content] = result.content as { text: string }[];
  const { data, meta } = (result.structuredContent ?? {}) as { data?: unknown; meta?: unknown };
  return { isError: result.isError === true, text: content?.text ?? '', data, meta };
}

async function addApplication(client: Client): Promise<number> {
  const { data } = await call(client, 'add_application', { app_id: sampleApp, ...market });
  return (data as { id: number }).id;
}

type Input = Record<string, unknown>;
/** By the names of the tools. */
type Answers = Record<string, { id?: number; saved?: { id: number } }>;

/**
 * Every tool once, each after those whose ids it needs: an input may be made from the answers so far. The client checks each
 * answer against the output schema.
 */
function everyCall(
  appId: number,
  channelId: number,
): [name: string, input: Input | ((answers: Answers) => Input)][] {
  const ofApp = { app_id: appId };
  return [
    ['list_applications', ofApp],
    ['search_apps', { term: 'habit tracker', ...market }],
    ['track_keywords', { ...ofApp, ...market, keywords: ['habit tracker', 'daily planner'] }],
    ['list_keywords', ofApp],
    ['get_keyword_rank_history', { keyword_id: '1' }],
    ['list_rank_histories', { ...ofApp, keyword_ids: '1,2' }],
    ['list_rank_matrix', { ...ofApp, days: 1 }],
    ['get_share_of_voice', ofApp],
    ['add_note', { ...ofApp, date: '2026-01-31', text: 'Ads began' }],
    ['list_notes', ofApp],
    ['remove_note', { ...ofApp, note_id: 1 }],
    ['list_changes', { ...ofApp, competitors: true }],
    ['get_rank_distribution', ofApp],
    ['set_keyword_favorite', { keyword_id: 1, ...ofApp, is_favorite: true }],
    ['untrack_keyword', { keyword_id: 2, ...ofApp }],
    ['inspect_keyword', { keyword: 'habit tracker', ...market }],
    ['list_keyword_inspections', {}],
    ['start_job', { kind: 'track_keywords', ...ofApp, keywords: ['sleep sounds', 'mood diary'] }],
    ['get_job', (answers) => ({ job_id: answers.start_job?.id })],
    ['cancel_job', (answers) => ({ job_id: String(answers.start_job?.id) })],
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
    ['get_metadata_simulation', (answers) => ({ simulation_id: answers.simulate_metadata?.saved?.id })],
    ['add_competitor', { ...ofApp, competitor_app_id: rival, ...market }],
    ['list_competitors', ofApp],
    ['list_keyword_gap', { ...ofApp, own_min_rank: 2 }],
    ['list_ranked_keywords', { app_id: rival, ...market }],
    ['remove_competitor', (answers) => ({ relation_id: answers.add_competitor?.id })],
    ['list_alert_channels', {}],
    ['list_alert_rules', {}],
    [
      'create_alert_rule',
      { ...ofApp, kind: 'entered_top', threshold: 3, keywords: [1], channels: [channelId] },
    ],
    [
      'update_alert_rule',
      (answers) => ({ rule_id: String(answers.create_alert_rule?.id), app_id: null, is_enabled: false }),
    ],
    ['list_alerts', { ...ofApp, since: 0 }],
    ['delete_alert_rule', (answers) => ({ rule_id: answers.create_alert_rule?.id })],
    ['get_account_usage', {}],
  ];
}

describe.each<Transport>(['stdio', 'http'])('over %s', (transport) => {
  test('all tools can be called, their answers match their schemas, and they cost what they say', async () => {
    const key = await createKey(`tools-${transport}@example.com`);
    const client = await connect(transport, key);
    // A person makes it.
    const channel = { type: 'slack', name: 'Team', url: 'https://hooks.example.invalid/x' };
    const { body } = await createApi(system().url, key)('POST', '/alerts/channels', channel);
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(listed.tools.filter(({ title, outputSchema }) => !title || !outputSchema)).toEqual([]);

    const id = await addApplication(client);
    const answers: Answers = { add_application: { id } };
    for (const [name, input] of everyCall(id, body.data.id)) {
      const result = await call(client, name, typeof input === 'function' ? input(answers) : input);
      expect({ name, text: result.isError && result.text }).toEqual({ name, text: false });
      expect(JSON.parse(result.text)).toEqual(
        result.meta === undefined ? { data: result.data } : { data: result.data, meta: result.meta },
      );
      expect(result.text).not.toMatch(/"(icon|url)":|"screenshots":\[/);
      answers[name] = result.data as Answers[string];
    }
    expect(new Set(Object.keys(answers))).toEqual(new Set(tools.map(({ name }) => name)));
    expect(answers.list_alert_channels).toMatchObject([{ name: 'Team' }]);
    expect(answers.update_alert_rule).toMatchObject({ app_id: null, threshold: 3, is_enabled: false });
    const costs = tools.filter(({ operation }) => operation.cost === 1).length;
    expect(answers.get_account_usage).toMatchObject({ usage: { api_requests: costs } });
  });

  test('sixteen calls at once all succeed, and those that wait say so while they wait', async () => {
    const client = await connect(transport, await createKey(`parallel-${transport}@example.com`), []);
    const answered: number[] = [];
    const answersBeforeNotice: number[] = [];
    const callUsage = async (index: number) => {
      const onprogress = () => {
        answersBeforeNotice[index] ??= answered.length;
      };
      const { isError } = await client.callTool({ name: 'get_account_usage', arguments: {} }, { onprogress });
      expect(isError).toBeFalsy();
      answered.push(index);
    };
    await Promise.all(Array.from({ length: 16 }, (_, index) => callUsage(index)));
    // In a buffered stream the notice would come with the answer, after the 15 others.
    expect(answersBeforeNotice[answered.at(-1) ?? 0]).toBeLessThan(15);
  });

  test('an error says what is wrong and what to do', async () => {
    const client = await connect(transport, await createKey(`errors-${transport}@example.com`));
    expect(await call(client, 'list_keywords', { order: 'rank' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /there is no parameter order\. Parameters: app_id, favorites, sort, search, /,
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
    const id = await addApplication(client);
    expect((await call(client, 'add_application', { app_id: sampleApp, ...market })).text).toMatch(
      new RegExp(`^DUPLICATE: .*details: \\{"id":${id}\\}$`, 's'),
    );
    const competitor = { app_id: id, competitor_app_id: rival, ...market };
    const added = (await call(client, 'add_competitor', competitor)).data as { id: number };
    const again = await call(client, 'add_competitor', competitor);
    expect(again.text).toMatch(new RegExp(`^DUPLICATE: .*details: \\{"id":${added.id}\\}$`, 's'));
  });

  test('prompts and resources are there', async () => {
    const client = await connect(transport, await createKey(`resources-${transport}@example.com`));
    const id = await addApplication(client);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['research_keywords', 'audit_and_rewrite']);
    const research = await client.getPrompt({ name: 'research_keywords', arguments: { subject: 'habits' } });
    expect(JSON.stringify(research.messages)).toContain('Research keywords for: habits');
    const audit = await client.getPrompt({ name: 'audit_and_rewrite', arguments: { app: 'Habitember' } });
    expect(JSON.stringify(audit.messages)).toContain('rewrite the listing of: Habitember');
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['shelfwise://usage', 'shelfwise://applications']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'shelfwise://applications/{app_id}/listing',
      'shelfwise://applications/{app_id}/audit',
    ]);
    const { contents } = await client.readResource({ uri: 'shelfwise://usage' });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ plan: 'unlimited' });
    for (const path of ['', `/${id}/listing`, `/${id}/audit`]) {
      const answer = await client.readResource({ uri: `shelfwise://applications${path}` });
      expect(JSON.stringify(answer)).toContain('Habitember');
    }
  });
});

describe('the local server', () => {
  /** Its client is gone when it has answered all messages. */
  async function run(env: Record<string, string>, args: string[] = [], messages: object[] = []) {
    const child = spawn(process.execPath, [...nodeArguments('mcp/src/stdio.ts'), ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    const answers = messages.filter((message) => 'id' in message).length;
    const endWhenAnswered = () => {
      if (stdout.split('\n').length > answers) child.stdin.end();
    };
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
      endWhenAnswered();
    });
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
    for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    endWhenAnswered();
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

  test('writes nothing but answers to stdout, and ends when its client is gone', async () => {
    const env = { SHELFWISE_API_KEY: 'sw_live_x', SHELFWISE_BASE_URL: 'http://127.0.0.1:9' };
    expect(await run(env)).toMatchObject({ code: 0, stdout: '' });
    const clientInfo = { name: 'test', version: '1.0.0' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const { code, stdout } = await run(
      env,
      [],
      [
        { id: 1, method: 'initialize', params },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/call', params: { name: 'get_account_usage', arguments: {} } },
      ],
    );
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      expect.objectContaining({ jsonrpc: '2.0', id: 1 }),
      expect.objectContaining({ jsonrpc: '2.0', id: 2, result: expect.objectContaining({ isError: true }) }),
    ]);
  });
});
