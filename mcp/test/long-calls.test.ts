import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createManualTimers } from '../../testing/manual-timers.ts';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { until } from '../../testing/until.ts';
import { createHttpHandler } from '../src/http/create-http-handler.ts';
import { createMcpServer } from '../src/http/mcp-server.ts';

/** An API whose answers the tests decide. */
let answer: RequestListener = () => {};
const api = createServer((request, response) => answer(request, response));
const baseUrl = () => `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
const onError = (error: unknown) => errors.push(error);
const errors: unknown[] = [];
/** Of the remote server. The local one is a process, whose clock is that of the system, but fast. */
const clock = createManualTimers();
const remote = createMcpServer({
  handler: createHttpHandler({ baseUrl, onUnreachable: onError, onRefused: onError, clock }),
  host: '127.0.0.1',
  port: 0,
  onError,
});
const clients: Client[] = [];
let keys = 0;

beforeAll(async () => {
  await once(api.listen(0, '127.0.0.1'), 'listening');
  await remote.start?.();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  api.closeAllConnections();
  api.close();
  await remote.stop();
  expect(errors).toEqual([]);
});

async function connect(transport: 'stdio' | 'http', mode: 'legacy' | { pin: string }): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  clients.push(client);
  await client.connect(
    transport === 'http'
      ? new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${remote.port()}/mcp`), {
          // Each has a key of its own: the rate windows of a key stay full while the clock stands still.
          requestInit: { headers: { 'x-api-key': `key-${++keys}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: ['--import', './testing/fast-clock.mjs', ...nodeArguments('mcp/src/stdio.ts')],
          env: { SHELFWISE_API_KEY: 'key', SHELFWISE_BASE_URL: baseUrl() },
        }),
  );
  return client;
}

const analysis = {
  name: 'run_niche_analysis',
  arguments: { topic: 'habit tracker', store: 'ITUNES', country: 'US', lang: 'en-US' },
};

function fail(response: ServerResponse): void {
  response.writeHead(502).end('{"error":"No result page could be read.","code":"ANALYSIS_FAILED"}');
}

describe.each([
  ['stdio', 'legacy'],
  ['stdio', { pin: '2026-07-28' }],
  ['http', 'legacy'],
  ['http', { pin: '2026-07-28' }],
] as const)('a long niche analysis over %s, of a client of %p', (transport, mode) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(transport, mode);
  });

  test('sends progress before its answer', async () => {
    const progress: { progress: number; message?: string | undefined }[] = [];
    answer = async (_request, response) => {
      await clock.advance(5000);
      await until(() => progress.length > 0 || response.closed);
      fail(response);
    };
    const result = await client.callTool(analysis, { onprogress: (one) => progress.push(one) });
    const [{ progress: seconds } = { progress: 0 }] = progress;
    expect(progress[0]?.message).toBe(`Find keyword niches: working (${seconds} s)`);
    // That clock can be late, but not early.
    if (transport === 'http') expect(progress).toMatchObject([{ progress: 5 }]);
    else expect(seconds).toBeGreaterThanOrEqual(5);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^ANALYSIS_FAILED: No result page/) }],
    });
  });

  test('is cancelled in the API, too', async () => {
    const cancelled = new AbortController();
    const gone = new Promise<void>((resolve) => {
      answer = (request) => {
        request.once('close', resolve);
        cancelled.abort();
      };
    });
    await expect(client.callTool(analysis, { signal: cancelled.signal })).rejects.toThrow();
    await gone;
  });
});

/** The timers of a call that waits for a slot: those of its slot, of what it says, of giving up, and of its progress. */
const timersOfWaiting = 4;

test('a call that the API refuses for its rate says that it waits; its progress increases', async () => {
  let requests = 0;
  answer = async (_request, response) => {
    requests++;
    if (requests > 1) return fail(response);
    // The wait is reported after one more second, just when the call has lasted 5 s.
    await clock.advance(4000);
    response.writeHead(429, { 'retry-after': '2' }).end('{"error":"Too fast.","code":"RATE_LIMITED"}');
  };
  const client = await connect('http', 'legacy');
  const notices: { progress: number; message?: string | undefined }[] = [];
  const called = client.callTool(analysis, { onprogress: (one) => notices.push(one) });
  await until(() => clock.pending() === timersOfWaiting);
  await clock.advance(2000);
  await called;
  expect(requests).toBe(2);
  expect(notices.map(({ message }) => message?.replace(/ \(.*/, '')).sort()).toEqual([
    'Find keyword niches: waiting for the rate limit of the key',
    'Find keyword niches: working',
  ]);
  const [first = Infinity, second] = notices.map(({ progress }) => progress);
  expect(second).toBeGreaterThan(first);
});
