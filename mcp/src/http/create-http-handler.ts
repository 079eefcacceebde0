import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  bearerAuthChallengeResponse,
  createMcpHandler,
  OAuthError,
  OAuthErrorCode,
} from '@modelcontextprotocol/server';
import { version } from '@shelfwise/runtime/version';
import { createApiClient } from '../api/api-client.ts';
import type { Clock } from '../api/call-queue.ts';
import { systemClock } from '../api/system-clock.ts';
import { createServer } from '../create-server.ts';
import { tools } from '../tools/index.ts';
import { createCallsInProgress } from './calls-in-progress.ts';
import { createKeyQueues } from './key-queues.ts';
import { refuse, serveRequest } from './serve-request.ts';

/**
 * What has been read of a request: the key of its caller, and its body, parsed. Of a connection, `key` is good for the one call that
 * the request leads to.
 */
export type ReadRequest = { key: string; body: unknown };

export type HttpHandler = {
  /** Answers one POST of Streamable HTTP. The caller has checked its key, host, origin, size and rate. */
  serve(request: IncomingMessage, response: ServerResponse, read: ReadRequest): Promise<void>;
  /** Ends waiting calls of tools with an error that says to try again. Those that the API answers go on. */
  stopCalls(): void;
  /** Ends the requests in progress. */
  close(): Promise<void>;
};

const longestReason = 200;

/** Headers of a request that its calls of the API get, too: logs and traces show what belongs together. */
const passedHeaders = ['x-request-id', 'traceparent'];

/** The protocol over HTTP without sessions: any copy answers any request. Clients of 2025 and of 2026 are served. */
export function createHttpHandler(deps: {
  /** of the API, read for each call: its port may be chosen late */
  baseUrl(): string;
  /** The API cannot be reached. */
  onUnreachable(error: unknown): void;
  /** The protocol refuses a request. */
  onRefused(reason: string): void;
  /** that of the system when absent */
  clock?: Clock;
}): HttpHandler {
  const { clock = systemClock } = deps;
  const queueOf = createKeyQueues(clock);
  const calls = createCallsInProgress();
  const stop = new AbortController();
  // Every call in progress listens.
  setMaxListeners(0, stop.signal);
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { token: key = '', clientId: account = key, scopes = [], extra } = authInfo ?? {};
      const api = createApiClient({
        baseUrl: deps.baseUrl(),
        key,
        // Connections and the key of an account share its rate limit.
        queue: queueOf(account),
        userAgent: `shelfwise-mcp/${version}`,
        headers: extra as Record<string, string>,
        clock,
        stopped: stop.signal,
        onUnreachable: deps.onUnreachable,
      });
      return createServer(api, version, clock, { canWrite: scopes.includes('write') });
    },
    // Some messages quote the request.
    { onerror: ({ message }) => deps.onRefused(message.slice(0, longestReason)) },
  );
  return {
    async serve(request, response, { key, body }) {
      // A hundred messages in one would be a hundred calls that count as one. The protocol has had none since 2025-06-18.
      if (Array.isArray(body)) return refuse(response, 400, 'Send one message in a request.', -32_600);
      const { 'user-agent': program = '', 'x-forwarded-for': address = '' } = request.headers;
      const { account, scopes, resourceMetadataUrl } = readAccess(request, key);
      if (!scopes.includes('write') && callsWritingTool(body))
        return serveRequest({
          request,
          response,
          answer: async () => askForWrite(resourceMetadataUrl),
        });
      const call = calls.follow([account, program, String(address)], body);
      if (response.closed) return call.end();
      response.once('close', call.end);
      const headers = pickHeaders(request, passedHeaders);
      const answer = (signal: AbortSignal, webRequest: Request) =>
        handler.fetch(new Request(webRequest, { signal: AbortSignal.any([signal, call.cancelled]) }), {
          parsedBody: body,
          authInfo: { token: key, clientId: account, scopes, extra: headers },
        });
      await serveRequest({ request, response, answer });
    },
    stopCalls: () => stop.abort(new Error('The service is stopping. Try again.')),
    close: handler.close,
  };
}

const allScopes = ['read', 'write'];

/** Who calls, as the gateway says. A key may do everything; an assistant server of its own may be called without these headers. */
function readAccess({ headers }: IncomingMessage, key: string) {
  const account = String(headers['x-shelfwise-account'] ?? key);
  const resourceMetadataUrl = String(headers['x-shelfwise-resource-metadata'] ?? '');
  const scopes = headers['x-shelfwise-scope'];
  return {
    account,
    scopes: scopes === undefined ? allScopes : String(scopes).split(' '),
    resourceMetadataUrl,
  };
}

const writingTools = new Set(tools.filter(({ effect }) => effect !== 'none').map(({ name }) => name));

function callsWritingTool(body: unknown): boolean {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
  return method === 'tools/call' && writingTools.has(String(params?.name));
}

/** The protocol's step-up answer: the client asks its user for all of these scopes, and calls again. */
function askForWrite(resourceMetadataUrl: string): Response {
  const message = 'This connection may only read. Connect again and allow changes.';
  return bearerAuthChallengeResponse(new OAuthError(OAuthErrorCode.InsufficientScope, message), {
    requiredScopes: allScopes,
    resourceMetadataUrl,
  });
}

function pickHeaders({ headers }: IncomingMessage, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}
