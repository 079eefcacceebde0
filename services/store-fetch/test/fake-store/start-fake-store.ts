import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { lookUpFakeApps, searchFakeApps } from './fake-apps.ts';
import { type FakeFault, type FakePage, fakeFaults, sendJson } from './fake-faults.ts';

export type FakeMode = 'ok' | FakeFault;

/** One call as it arrived: its path and its decoded parameters. */
export type FakeCall = { path: string; query: Record<string, string>; headers: IncomingMessage['headers'] };

/** `rate`: the share of the calls that meet the fault, 0 to 1. `delayMs`: before every answer. */
export type FakeControl = { mode: FakeMode; rate: number; delayMs: number };

export type FakeStore = {
  /** The base URL to give to a client. */
  url: string;
  /** Also over HTTP: `POST /__control {"mode": ..., "rate": ..., "delayMs": ...}`; what is not named stays. */
  setFault(mode: FakeMode, more?: Partial<Omit<FakeControl, 'mode'>>): void;
  /** Calls per path; also over HTTP: `GET /__control`. */
  counts(): Record<string, number>;
  /** Every call so far, the oldest first. */
  calls(): FakeCall[];
  stop(): Promise<void>;
};

/**
 * An App Store of invented apps on a free port of loopback, which answers search and look-up in the store's own
 * shape and misbehaves when told to.
 */
export async function startFakeStore(): Promise<FakeStore> {
  let control: FakeControl = { mode: 'ok', rate: 1, delayMs: 0 };
  let spared = 0;
  const calls: FakeCall[] = [];

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake');
    if (url.pathname === '/__control') {
      void answerControl(request, response);
      return;
    }
    const query = Object.fromEntries(url.searchParams);
    calls.push({ path: url.pathname, query, headers: request.headers });
    const page = pageOf(url);
    const mode = drawMode();
    const answer = () => {
      if (page === null) response.writeHead(404).end('Not Found');
      else if (mode === 'ok') sendJson(response, JSON.stringify(page));
      else fakeFaults[mode](response, page);
    };
    const timer = setTimeout(answer, control.delayMs);
    response.on('close', () => clearTimeout(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setFault: (mode, more = {}) => setControl({ mode, ...more }),
    counts,
    calls: () => [...calls],
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };

  /** Exactly the share that `rate` names, spread evenly: a test with a rate has the same result every time. */
  function drawMode(): FakeMode {
    if (control.mode === 'ok') return 'ok';
    spared += control.rate;
    if (spared < 1) return 'ok';
    spared -= 1;
    return control.mode;
  }

  async function answerControl(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method === 'POST') setControl(JSON.parse(await text(request)));
      sendJson(response, JSON.stringify({ control, counts: counts() }));
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  }

  function setControl(change: Partial<FakeControl>): void {
    const { mode } = change;
    if (mode !== undefined && mode !== 'ok' && !Object.hasOwn(fakeFaults, mode)) {
      throw new Error(`the fake store knows no mode ${mode}`);
    }
    control = { ...control, ...change };
    spared = 0;
  }

  function counts(): Record<string, number> {
    const perPath: Record<string, number> = {};
    for (const { path } of calls) perPath[path] = (perPath[path] ?? 0) + 1;
    return perPath;
  }
}

/** What the store shows at an address; null where it has no endpoint. */
function pageOf({ pathname, searchParams }: URL): FakePage | null {
  const country = searchParams.get('country') ?? 'us';
  const list = (name: string) => searchParams.get(name)?.split(',') ?? [];
  if (pathname === '/search') {
    const limit = Math.min(200, Number(searchParams.get('limit') ?? 50));
    return toPage(searchFakeApps(searchParams.get('term') ?? '', country, limit));
  }
  if (pathname === '/lookup') return toPage(lookUpFakeApps(list('id'), list('bundleId'), country));
  return null;
}

function toPage(results: FakePage['results']): FakePage {
  return { resultCount: results.length, results };
}
