import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Part } from '@shelfwise/runtime/process/run';
import { mapListenError } from '@shelfwise/runtime/process/start-error';
import type { HttpHandler } from './create-http-handler.ts';
import { refuse } from './serve-request.ts';

/** Gateways accept 256 KiB; the same value may be longer as they write it. */
const maxBodyBytes = 2 * 1024 * 1024;
/** In ms, from the start of the stop: calls in progress are ended, and then connections. */
const endCallsAfterMs = 5000;
const closeConnectionsAfterMs = 7000;

/**
 * The HTTP server of an assistant server that runs as its own process. Only gateways call it: they have checked the key, and
 * send it in X-API-Key.
 */
export function createMcpServer(options: {
  handler: HttpHandler;
  host: string;
  port: number;
  onError(error: unknown): void;
}): Part & { port(): number | null } {
  const { handler, host, port, onError } = options;
  const server = createServer((request, response) => {
    answer(handler, request, response).catch((error: unknown) => {
      onError(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'The assistant server failed. Try again.');
    });
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  return {
    name: 'assistant server',
    port: () => (server.address() as AddressInfo | null)?.port ?? null,
    start: () =>
      mapListenError(
        new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen({ host, port }, () => resolve());
        }),
        { address: `Port ${port} of ${host}`, setting: 'MCP_ADDRESS' },
      ),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const idleTimer = setInterval(() => server.closeIdleConnections(), 50);
      const endTimer = setTimeout(handler.stopCalls, endCallsAfterMs);
      const closeTimer = setTimeout(() => server.closeAllConnections(), closeConnectionsAfterMs);
      await closed;
      for (const timer of [idleTimer, endTimer, closeTimer]) clearTimeout(timer);
      await handler.close();
    },
  };
}

async function answer(
  handler: HttpHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url?.split('?')[0] !== '/mcp') return refuse(response, 404, 'Only /mcp is here.');
  if (request.method !== 'POST') return refuse(response, 405, 'Only POST is answered.');
  const key = request.headers['x-api-key'];
  if (typeof key !== 'string' || key === '') return refuse(response, 401, 'The header X-API-Key is missing.');
  const text = await readText(request);
  if (text === null) {
    response.setHeader('connection', 'close');
    return refuse(response, 413, 'The body is too large.');
  }
  await handler.serve(request, response, { key, body: parse(text) });
}

/** Null when it is too large. */
async function readText(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop must not end the connection: the refusal is still to be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined for what is no JSON: the protocol has its own answer to that. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
