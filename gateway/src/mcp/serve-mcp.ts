import type { RequestHandler } from 'express';
import { readKey } from '../middleware/authenticate.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';

/** Answers a request of the assistants' protocol. Its key and plan are valid, and its body has been read. */
export function serveMcp(endpoint: McpEndpoint): RequestHandler {
  return async (request, response) => {
    // The caller is gone: its response will not be closed again.
    if (response.closed) return;
    // The steps before this one and the stream of the answer each wait for its end: more than Node thinks usual.
    response.setMaxListeners(30);
    const { requestId, span } = getRequestContext(response);
    const key = readKey(request) ?? '';
    const { headers, body } = request;
    headers['x-api-key'] = key;
    headers['x-request-id'] = requestId;
    headers['x-forwarded-for'] = request.ip ?? '';
    if (span) headers.traceparent = span.traceparent;
    else delete headers.traceparent;
    await endpoint.serve(request, response, { key, body });
  };
}
