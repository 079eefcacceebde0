import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Request, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { McpEndpoint } from './mcp-endpoint.ts';
import { sendMcpError } from './send-mcp-error.ts';

/** In ms: longer than the longest tool call, a niche analysis of 300 s and its wait for the rate limit. */
const answerTimeoutMs = 400_000;

/** What says how the body came, and what the other process must not see. */
const droppedHeaders = [
  'authorization',
  'content-encoding',
  'content-length',
  'cookie',
  'expect',
  'transfer-encoding',
];

/** Forwards /mcp, with the body read before, to the process that answers it. Event streams pass as they come. */
export function forwardMcp(address: string, logger: Pick<Logger, 'warn'>): McpEndpoint {
  const bodies = new WeakMap<Request, string>();
  const forward = createProxyMiddleware<Request, Response>({
    target: address,
    changeOrigin: true,
    // The query may hold the key.
    pathRewrite: () => '/mcp',
    proxyTimeout: answerTimeoutMs,
    on: {
      proxyReq(proxied, request, response) {
        // The library does not notice that a client is gone once its body has been read. A tool's call ends with it.
        response.once('close', () => proxied.destroy());
        proxied.write(bodies.get(request) ?? '');
      },
      proxyRes(answer, _request, response) {
        // It sends them with the first event only: until then a client would not know that its request has arrived.
        queueMicrotask(() => response.flushHeaders());
        // Nor does it end an answer whose sender has died.
        answer.once('close', () => {
          if (!answer.complete) response.destroy();
        });
      },
      error(error, _request, response) {
        const answer = response as Response;
        if (answer.closed) return;
        logger.warn({ err: error }, 'the assistant server cannot be reached');
        if (answer.headersSent) answer.destroy();
        else {
          answer.set('Retry-After', '5');
          sendMcpError(answer, 503, 'The assistant server cannot be reached. Try again.');
        }
      },
    },
  });
  return {
    serve(request, response, { body }) {
      const text = JSON.stringify(body ?? null);
      bodies.set(request, text);
      for (const name of droppedHeaders) delete request.headers[name];
      request.headers['content-type'] = 'application/json';
      request.headers['content-length'] = String(Buffer.byteLength(text));
      return new Promise((resolve, reject) => {
        response.once('close', resolve);
        forward(request, response, reject).catch(reject);
      });
    },
  };
}
