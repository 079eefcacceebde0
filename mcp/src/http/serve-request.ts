import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { redactKeys } from '@shelfwise/runtime/log/redact-keys';

/**
 * Answers one request of Node's HTTP server by the web's Request and Response. An event stream is written as it comes. An
 * error of the protocol may quote what the client sent: a key in it is replaced.
 * @param options.answer gets the request without its body, and a signal that fires when the caller disconnects
 */
export async function serveRequest(options: {
  request: IncomingMessage;
  response: ServerResponse;
  answer(signal: AbortSignal, request: Request): Promise<Response>;
}): Promise<void> {
  const { request, response } = options;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const answer = await options.answer(gone.signal, toWebRequest(request));
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    // A replaced key changes the length.
    if (name !== 'content-length') response.setHeader(name, value);
  });
  if (!answer.body) return void response.end();
  // Proxies before the gateway send each event at once.
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
  const body = Readable.fromWeb(answer.body as ReadableStream);
  await pipeline(body, redactEvents(), response).catch((error: NodeJS.ErrnoException) => {
    if (!response.closed) throw error;
  });
}

/** Replaces keys in whole events: a key may come in two pieces. What has no blank line is one event. */
function redactEvents(): Transform {
  let rest = '';
  const decoder = new TextDecoder();
  return new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      rest += decoder.decode(piece, { stream: true });
      // With its blank line, without which a client waits for more of it.
      const end = rest.lastIndexOf('\n\n') + 2;
      if (end < 2) return done();
      const events = rest.slice(0, end);
      rest = rest.slice(end);
      done(null, redactKeys(events) || undefined);
    },
    flush(done) {
      done(null, redactKeys(rest + decoder.decode()) || undefined);
    },
  });
}

/** Answers with an error of JSON-RPC that belongs to no request. */
export function refuse(response: ServerResponse, status: number, message: string, code = -32_000): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** Without the headers of the body, which is parsed already. */
const bodyHeaders = ['content-length', 'content-encoding', 'transfer-encoding'];

function toWebRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !bodyHeaders.includes(name)) headers.set(name, [value].flat().join(', '));
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}
