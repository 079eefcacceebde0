import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Budget } from '@shelfwise/store-fetch/call-budget/ask-store';

/** One call that reached the stores. */
export type CountedCall = {
  /** On the monotonic clock. */
  atMs: number;
  /** Which of the addresses was asked, from 0. */
  copy: number;
  budget: Budget;
  /** Of a search: store, country and term. */
  searched: string | null;
  /** Whether it was answered with what was asked for, in the time that the caller gave it. */
  outcome: 'pending' | 'answered' | 'refused' | 'given up';
};

/** Stands before the stores, passes everything on as it is, and remembers each call. */
export function createCountingProxy(store: string) {
  const calls: CountedCall[] = [];
  const servers: Server[] = [];

  function count(incoming: IncomingMessage, answer: ServerResponse, copy: number): void {
    const url = new URL(incoming.url ?? '/', store);
    const call: CountedCall = {
      atMs: performance.now(),
      copy,
      budget: budgetOf(url),
      searched: searchOf(url),
      outcome: 'pending',
    };
    calls.push(call);
    answer.once('close', () => {
      if (!answer.writableFinished) call.outcome = 'given up';
    });
    passOn(incoming, url, answer).then(
      (isAnswer) => {
        if (call.outcome === 'pending') call.outcome = isAnswer ? 'answered' : 'refused';
      },
      () => answer.destroy(),
    );
  }

  return {
    calls: calls as readonly CountedCall[],

    /** One more address of the stores, for one more copy of those who ask them. */
    async open(): Promise<string> {
      const copy = servers.length;
      const server = createServer((incoming, answer) => count(incoming, answer, copy));
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },

    async stop(): Promise<void> {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/** Whether the store answered with what was asked for, rather than with one of its faults. */
async function passOn(incoming: IncomingMessage, url: URL, answer: ServerResponse): Promise<boolean> {
  const body = await buffer(incoming);
  const { method = 'GET', headers } = incoming;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(url, { method, headers: { ...headers, host: url.host } }, resolve);
    asked.once('error', reject);
    answer.once('close', () => asked.destroy());
    asked.end(body);
  });
  const bytes = await buffer(reply);
  const { statusCode = 500, headers: replyHeaders } = reply;
  answer.writeHead(statusCode, { 'content-type': replyHeaders['content-type'] ?? '' });
  await new Promise<void>((resolve) => answer.end(bytes, () => resolve()));
  return isAnswerTo(url, statusCode, bytes.toString('utf8'));
}

function isAnswerTo({ pathname }: URL, status: number, body: string): boolean {
  if (pathname === '/store/apps/details' && status === 404) return true;
  if (status !== 200) return false;
  if (pathname === '/search' || pathname === '/lookup') return /^\s*\{/.test(body);
  if (pathname.startsWith('/store/')) return body.includes('AF_initDataCallback');
  return !/unusual traffic|<p>moved/.test(body);
}

function budgetOf({ pathname }: URL): Budget {
  if (pathname === '/search' || pathname === '/lookup') return 'itunes';
  if (pathname.endsWith('/hints')) return 'itunes-hints';
  if (pathname.startsWith('/store/') || pathname.endsWith('/batchexecute')) return 'play';
  return 'itunes-pages';
}

function searchOf({ pathname, searchParams }: URL): string | null {
  const of = (store: string, country: string, term: string) =>
    searchKey(store, searchParams.get(country) ?? '', searchParams.get(term) ?? '');
  if (pathname === '/search') return of('ITUNES', 'country', 'term');
  if (pathname === '/store/search') return of('GPLAY', 'gl', 'q');
  return null;
}

/** How a search is named: in the seeded markets store, country and term tell each from all others. */
export function searchKey(store: string, country: string, term: string): string {
  return `${store} ${country.toUpperCase()} ${term}`;
}

/** A call arrives up to so much later than it was sent. */
const delayMs = 250;

/** The most calls that were sent in any 60 seconds, as far as their arrival tells. */
export function mostInAMinute(calls: readonly CountedCall[]): number {
  const times = calls.map(({ atMs }) => atMs).sort((a, b) => a - b);
  let most = 0;
  let first = 0;
  times.forEach((atMs, index) => {
    while (atMs - (times[first] ?? atMs) >= 60_000 - delayMs) first++;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
