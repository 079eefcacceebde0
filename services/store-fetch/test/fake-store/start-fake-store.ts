import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerAppStore, type FakeAnswer } from './app-store-pages.ts';
import { type FakeFault, fakeFaults, sendAnswer, sendJson } from './fake-faults.ts';
import { answerGooglePlay } from './google-play-pages.ts';

export type FakeMode = 'ok' | FakeFault;

/** One received call: the path and the decoded parameters. */
export type FakeCall = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: string;
};

/**
 * `rate`: the share of calls with the fault, 0 to 1. `only`: the start of the paths, with their parameters, that have
 * the fault, `''` for all. `about`: part of the address or body of calls that have the fault, such as a search term, `''`
 * for all. `isHeld`: all calls wait for `release`.
 */
export type FakeControl = { mode: FakeMode; rate: number; only: string; about: string; isHeld: boolean };

export type FakeStore = {
  /** The base URL for clients. */
  url: string;
  /** Omitted settings return to their defaults: every call, every path. */
  setFault(mode: FakeMode, more?: Partial<Omit<FakeControl, 'mode'>>): void;
  /** Answers the calls that wait, and later ones at once. */
  release(): void;
  /** Calls per path; also over HTTP: `GET /__control`. */
  counts(): Record<string, number>;
  /** All calls so far, the oldest first. */
  calls(): FakeCall[];
  stop(): Promise<void>;
};

/** Answers a call as its store does; null where it has no endpoint. */
export type AnswerFakeCall = (call: {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}) => FakeAnswer | null;

const answerBothStores: AnswerFakeCall = ({ method, url, headers, body }) =>
  answerAppStore(url, headers['x-apple-store-front']?.toString()) ?? answerGooglePlay({ method, url, body });

const undisturbed: FakeControl = { mode: 'ok', rate: 1, only: '', about: '', isHeld: false };

/**
 * An App Store and a Google Play with invented apps on a free loopback port. They answer in the stores' own shapes
 * and misbehave on request, also over HTTP: `POST /__control {"mode": ..., "rate": ..., "only": ...}`, where omitted
 * settings do not change. `answerOf`: of another store. `random` (0 to 1) chooses the calls with a fault; default: they are
 * evenly spread, so that a test always has the same result.
 */
export async function startFakeStore({
  answerOf = answerBothStores,
  random,
}: {
  answerOf?: AnswerFakeCall;
  random?: () => number;
} = {}): Promise<FakeStore> {
  let control = undisturbed;
  let spared = 0;
  const calls: FakeCall[] = [];
  const held: (() => void)[] = [];

  const server = createServer((request, response) => {
    const isControl = request.url === '/__control';
    // Callers may close the connection while they send.
    void (isControl ? answerControl(request, response) : answerCall(request, response)).catch(() => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setFault: (mode, more = {}) => setControl({ ...undisturbed, mode, ...more }),
    release() {
      control = { ...control, isHeld: false };
      for (const answer of held.splice(0)) answer();
    },
    counts,
    calls: () => [...calls],
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };

  async function answerCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', 'http://fake');
    const body = await text(request);
    const query = Object.fromEntries(url.searchParams);
    calls.push({ method, path: url.pathname, query, headers, body });
    const answer = answerOf({ method, url, headers, body });
    const mode = drawMode(`${url.pathname}${url.search}`, body);
    if (control.isHeld) held.push(() => misbehave(response, mode, answer));
    else misbehave(response, mode, answer);
  }

  /** Without `random`, faults hit exactly the share `rate` of the calls. */
  function drawMode(path: string, body: string): FakeMode {
    if (control.mode === 'ok' || !path.startsWith(control.only)) return 'ok';
    if (!`${path} ${body}`.includes(control.about)) return 'ok';
    if (random) return random() < control.rate ? control.mode : 'ok';
    spared += control.rate;
    if (spared < 1) return 'ok';
    spared -= 1;
    return control.mode;
  }

  async function answerControl(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method === 'POST') setControl({ ...control, ...JSON.parse(await text(request)) });
      sendJson(response, JSON.stringify({ control, counts: counts() }));
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  }

  function setControl(next: FakeControl): void {
    const { mode } = next;
    if (mode !== 'ok' && !Object.hasOwn(fakeFaults, mode)) {
      throw new Error(`the fake store has no mode ${mode}`);
    }
    control = next;
    spared = 0;
  }

  function counts(): Record<string, number> {
    const perPath: Record<string, number> = {};
    for (const { path } of calls) perPath[path] = (perPath[path] ?? 0) + 1;
    return perPath;
  }
}

function misbehave(response: ServerResponse, mode: FakeMode, answer: FakeAnswer | null): void {
  if (answer === null) response.writeHead(404).end('Not Found');
  else if (mode === 'ok') sendAnswer(response, answer);
  else fakeFaults[mode](response, answer);
}
