import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Budget } from '@shelfwise/store-fetch/store-health/endpoints';
import type { Outcome } from './judge-on-machine.ts';
import { mostTimesBeyond, mostTimesWithin } from './most-within.ts';

/** A call that reached the stores. */
export type CountedCall = {
  /** On the monotonic clock. */
  atMs: number;
  /** The index of the proxy address that received the call; each copy of the services has its own. */
  copy: number;
  budget: Budget;
  /** The store, country and term of a search; null for other calls. */
  search: string | null;
  /**
   * `answered`: a valid answer within the caller's timeout. `refused`: a fault of the store. `aborted`: the caller
   * gave up.
   */
  outcome: 'pending' | 'answered' | 'refused' | 'aborted';
  /** Whether it is a search whose answer has no results. */
  isEmptyPage: boolean;
};

/** A proxy in front of the stores that forwards every call unchanged and records it. */
export function createCountingProxy(store: string) {
  const calls: CountedCall[] = [];
  const servers: Server[] = [];

  function count(incoming: IncomingMessage, answer: ServerResponse, copy: number): void {
    const url = new URL(incoming.url ?? '/', store);
    const call: CountedCall = {
      atMs: performance.now(),
      copy,
      budget: budgetOf(url),
      search: toSearchKey(url),
      outcome: 'pending',
      isEmptyPage: false,
    };
    calls.push(call);
    answer.once('close', () => {
      if (!answer.writableFinished) call.outcome = 'aborted';
    });
    forward(incoming, url, answer).then(
      ({ isAnswer, body }) => {
        if (call.outcome === 'pending') call.outcome = isAnswer ? 'answered' : 'refused';
        call.isEmptyPage = isAnswer && call.search !== null && !/"trackId"|\[\["[\w.]+",7\]/.test(body);
      },
      () => answer.destroy(),
    );
  }

  return {
    calls: calls as readonly CountedCall[],

    /** Opens one more address of the stores, for one more copy of the services. */
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

/** Returns the store's answer, and whether it is valid, rather than one of its faults. */
async function forward(incoming: IncomingMessage, url: URL, answer: ServerResponse) {
  const sentBody = await buffer(incoming);
  const { method = 'GET', headers } = incoming;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, host: url.host } }, resolve);
    sent.once('error', reject);
    answer.once('close', () => sent.destroy());
    sent.end(sentBody);
  });
  const bytes = await buffer(reply);
  const { statusCode = 500, headers: replyHeaders } = reply;
  answer.writeHead(statusCode, { 'content-type': replyHeaders['content-type'] ?? '' });
  await new Promise<void>((resolve) => answer.end(bytes, () => resolve()));
  const body = bytes.toString('utf8');
  return { isAnswer: isValidAnswer(url, statusCode, body), body };
}

function isValidAnswer({ pathname }: URL, status: number, body: string): boolean {
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

function toSearchKey({ pathname, searchParams }: URL): string | null {
  const key = (store: string, country: string, term: string) =>
    searchKey(store, searchParams.get(country) ?? '', searchParams.get(term) ?? '');
  if (pathname === '/search') return key('ITUNES', 'country', 'term');
  if (pathname === '/store/search') return key('GPLAY', 'gl', 'q');
  return null;
}

/** Identifies a search. Store, country and term are unique among the seeded keywords. */
export function searchKey(store: string, country: string, term: string): string {
  return `${store} ${country.toUpperCase()} ${term}`;
}

/** A call arrives at most this much later than it was sent, and on a busy machine as much. */
const maxDelayMs = 250;
const maxDelayWhenBusyMs = 3000;

/**
 * Whether at most `budget` calls were sent in any 60 seconds, as the daily run does it. Not judged when more have arrived, but may
 * have been sent in a longer time, because a busy machine delays each call by another time.
 */
export function judgeBudget(calls: readonly CountedCall[], budget: number) {
  return judge((delayMs) => mostTimesWithin(timesOf(calls), 60_000 - delayMs), budget);
}

/**
 * Whether at most `budget` calls more than `budget` a minute were sent at any time: a call that a user waits for takes what a bucket
 * has left.
 */
export function judgeBucket(calls: readonly CountedCall[], budget: number) {
  return judge(
    (delayMs) => mostTimesBeyond(timesOf(calls), budget) - Math.ceil((delayMs * budget) / 60_000),
    budget,
  );
}

function judge(mostOf: (delayMs: number) => number, budget: number): { most: number; outcome: Outcome } {
  const [most, fewest] = [mostOf(maxDelayMs), mostOf(maxDelayWhenBusyMs)];
  return { most, outcome: most <= budget ? 'met' : fewest <= budget ? 'not judged' : 'missed' };
}

const timesOf = (calls: readonly CountedCall[]) => calls.map(({ atMs }) => atMs);
