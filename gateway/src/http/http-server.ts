import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { addressGroup } from '../limits/address-limiter.ts';
import { createClientAddress } from './client-address.ts';
import { type ConnectionEnd, connectionLimits, createConnectionGuard } from './connection-guard.ts';
import { type ConnectionUse, createConnectionUse } from './connection-use.ts';
import { toPathAndQuery } from './request-target.ts';
import { createRequestTurns, type TurnLimits } from './request-turns.ts';
import { readKeyOfUrl, readSentKey } from './sent-key.ts';

/** From Node 24 on, V8 changes an object's prototype fast, and `expressClasses` would only add cost. */
const firstNodeWithFastPrototypes = 24;

/**
 * In ms: how long a request may take to arrive and a connection may be idle. The route limits the time of the answer.
 */
const timeLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Load balancers close an idle connection after a minute. They must never use one that is closed here. */
  keepAliveTimeout: 65_000,
  /** How often the limits are checked: they are exceeded by at most this. */
  connectionsCheckingInterval: 1000,
};

/** Browsers and proxies send fewer than 50. Many small headers take several times their bytes while a request arrives. */
const maxHeaders = 100;

const turnLimits: TurnLimits = {
  /** More of them take over 10 ms before other work, such as a reply of a service, has its turn. */
  perTurn: 100,
  /**
   * libuv accepts one connection in a turn (its pull request 3696, in Node 20 and later). A connection of another client
   * waits for one turn per connection before it in the system's queue. Turns must be short: under a millisecond while one
   * address, or one key, has a burst.
   */
  perQueue: 2,
  /** More than a proxy or an office sends at once. */
  maxWaiting: 1000,
};

export type HttpServerOptions = {
  /** the running version of Node, from process.versions.node */
  nodeVersion: string;
  /** Above this number the new connection is closed at once, or an idle one of the address that has the most. */
  maxConnections: number;
  monotonicMs: () => number;
  onConnectionEnded(reason: ConnectionEnd): void;
  /** Whether the app has accepted this key lately; absent: none. */
  isKnownKey?: (key: string) => boolean;
  /** What the app notes of connections; absent: nothing. */
  connectionUse?: ConnectionUse;
  /** Limits to use instead of the product's, for tests. */
  limits?: Partial<typeof timeLimits & typeof connectionLimits & TurnLimits>;
};

/**
 * An HTTP server for the app. Before Node 24, requests and responses are created with Express's prototypes, so Express
 * does not change the prototype of each. That doubles the rate of small answers.
 */
export function createHttpServer(app: Express, options: HttpServerOptions): Server {
  const { nodeVersion, maxConnections, monotonicMs, onConnectionEnded: onEnded } = options;
  const { connectionUse: use = createConnectionUse(), isKnownKey = () => false } = options;
  const limits = { ...timeLimits, ...connectionLimits, ...turnLimits, ...options.limits, maxConnections };
  const clientAddress = createClientAddress(app);
  const hasSlowPrototypes = Number.parseInt(nodeVersion, 10) < firstNodeWithFastPrototypes;
  const classes = hasSlowPrototypes ? expressClasses(app) : undefined;
  const server = createServer({
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionsCheckingInterval: limits.connectionsCheckingInterval,
    maxHeaderSize: 16 * 1024,
    /** `isMissingHost` checks it instead: Node's refusal has no body, ours has the error envelope. */
    requireHostHeader: false,
    IncomingMessage: classes?.IncomingMessage,
    ServerResponse: classes?.ServerResponse,
  });
  // One more: the guard sees it and chooses which one ends.
  server.maxConnections = maxConnections + 1;
  // Node drops further ones silently; one more than allowed is kept, so that the request can be refused.
  server.maxHeadersCount = maxHeaders + 1;
  server.on('drop', () => onEnded('max_connections'));
  const guard = createConnectionGuard({
    limits,
    monotonicMs,
    use,
    addressOf: (socket) =>
      clientAddress.isProxy(socket) ? null : addressGroup(socket.remoteAddress ?? 'unknown'),
    onEnded,
  });
  server.on('connection', guard.follow);
  server.on('listening', () => {
    const timer = setInterval(guard.check, limits.connectionsCheckingInterval).unref();
    server.once('close', () => clearInterval(timer));
  });
  const turns = createRequestTurns(limits);
  /**
   * A flood without a key does not delay the clients with a key that share its address, nor end their new connections, and
   * neither does one key another.
   */
  const queueOf = (request: IncomingMessage, hasValidKey: boolean) => {
    const { headers, url = '' } = request;
    const key = readSentKey(headers, () => readKeyOfUrl(url));
    if (key !== null && isKnownKey(key)) return { name: `key ${key}`, hasKey: true };
    const address = clientAddress.of(request);
    return { name: hasValidKey ? `${address} with a key` : address, hasKey: hasValidKey };
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (!guard.admit(request, response)) return;
    const target = toPathAndQuery(request.url ?? '');
    if (request.rawHeaders.length > 2 * maxHeaders)
      refuse(response, `A request may have at most ${maxHeaders} headers.`);
    else if (isMissingHost(request)) refuse(response, 'An HTTP/1.1 request must have a Host header.');
    else if (hasTwoHosts(request)) refuse(response, 'A request must have one Host header, not several.');
    else if (target === null) refuse(response, 'The request target must be a path, such as /docs.');
    else {
      request.url = target;
      const { name, hasKey } = queueOf(request, use.hasValidKey(request.socket));
      const isTaken = turns.start(name, {
        start: () => app(request, response),
        isGone: () => response.closed,
      });
      if (isTaken) return;
      if (hasKey || clientAddress.isProxy(request.socket)) refuseBusy(response);
      else guard.endWaiting(request);
    }
  };
  server.on('request', answer);
  // Without a listener Node asks for the body at once; `readBody` does once the call may go on.
  server.on('checkContinue', answer);
  server.on('checkExpectation', (request, response) => {
    if (guard.admit(request, response)) refuse(response, 'This Expect header is not supported.');
  });
  server.on('connect', (_request, socket) => refuseTunnel(socket));
  server.on('clientError', answerBrokenRequest);
  return server;
}

/**
 * Node's request and response with Express's prototypes. They are functions, because the prototype of a class cannot be
 * replaced. They use `call`, because objects of `Reflect.construct` would be even slower than changing each prototype.
 */
function expressClasses(app: Express) {
  function expressRequest(this: IncomingMessage, socket: Socket): void {
    asFunction(IncomingMessage).call(this, socket);
  }
  expressRequest.prototype = app.request;
  function expressResponse(this: ServerResponse, request: IncomingMessage, options: unknown): void {
    asFunction(ServerResponse).call(this, request, options);
  }
  expressResponse.prototype = app.response;
  return {
    IncomingMessage: expressRequest as unknown as typeof IncomingMessage,
    ServerResponse: expressResponse as unknown as typeof ServerResponse,
  };
}

/** Before Node 24 these are functions, although their types say class. */
function asFunction(nodeClass: unknown): (...args: unknown[]) => void {
  return nodeClass as (...args: unknown[]) => void;
}

const brokenRequests: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/** Broken HTTP never reaches the pipeline; it is answered with the error envelope, too. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  socket.end(refusalBytes(brokenRequests[error.code ?? ''] ?? 'This is not a valid HTTP request.'));
}

function isMissingHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

/** Node takes the first one; a proxy in front may have taken another. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** Answers 400 after the answers to earlier requests of the connection, and then closes the connection. */
function refuse(response: ServerResponse, message: string): void {
  const { headers, body } = refusal(message);
  response.writeHead(400, headers).end(body);
}

/** Answers 503 to a request: too many of its key or its address wait. The connection stays. */
function refuseBusy(response: ServerResponse): void {
  const body = JSON.stringify({
    error: 'Too many requests of this key or address wait. Try again.',
    code: 'SERVICE_UNAVAILABLE',
  });
  response.writeHead(503, { ...toHeaders(body), 'Retry-After': 1 }).end(body);
}

/** Node hands over the socket of a CONNECT request: the gateway must close it and handle its errors. */
function refuseTunnel(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.end(refusalBytes('This server is not a proxy.'), () => socket.destroy());
}

function refusalBytes(message: string): string {
  const { headers, body } = refusal(message);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`;
}

function refusal(message: string) {
  const body = JSON.stringify({ error: message, code: 'INVALID_PARAMS' });
  return { headers: { ...toHeaders(body), Connection: 'close' }, body };
}

function toHeaders(body: string) {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': randomUUID(),
  };
}
