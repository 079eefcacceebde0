import type { ServerResponse } from 'node:http';
import type { FakeRow } from './fake-apps.ts';

export type FakePage = { resultCount: number; results: FakeRow[] };

type Misbehave = (response: ServerResponse, page: FakePage) => void;

const captcha =
  '<html><body>Our systems have detected unusual traffic <script src="https://captcha.example/api.js"></script></body></html>';

/** How the store can misbehave. Each gets the page that it would have shown. */
export const fakeFaults = {
  /** over its limit: refused, with an empty body */
  blocked: (response) => send(response, 403, 'text/html', ''),
  'too-many': (response) => send(response, 429, 'text/html', ''),
  captcha: (response) => send(response, 200, 'text/html', captcha),
  'captcha-refusal': (response) => send(response, 429, 'text/html', captcha),
  error: (response) => send(response, 503, 'text/html', 'Service Unavailable'),
  'bad-request': (response) => send(response, 400, 'application/json', '{"errorMessage":"Invalid value(s)"}'),
  redirect: (response, page) => {
    response.setHeader('location', '/elsewhere');
    send(response, 302, 'application/json', JSON.stringify(page));
  },
  /** another page */
  garbage: (response) => send(response, 200, 'text/html', '<!doctype html><p>moved'),
  empty: (response) => sendJson(response, ''),
  truncated: (response, page) => sendJson(response, JSON.stringify(page).slice(0, -20)),
  'not-utf8': (response, page) => {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' });
    response.end(Buffer.from(JSON.stringify({ ...page, note: 'é' }), 'latin1'));
  },
  'not-gzip': (response, page) => {
    response.setHeader('content-encoding', 'gzip');
    sendJson(response, JSON.stringify(page));
  },
  'other-json': (response) => sendJson(response, '{"feed":{"entry":[]}}'),
  /** the last row lacks its id */
  'wrong-shape': (response, { results }) => {
    const rows = results.map(({ trackId, ...row }, i) =>
      i < results.length - 1 ? { trackId, ...row } : row,
    );
    sendJson(response, JSON.stringify({ resultCount: rows.length, results: rows }));
  },
  /** announces results and sends none */
  'count-mismatch': (response, { resultCount }) =>
    sendJson(response, JSON.stringify({ resultCount: Math.max(5, resultCount), results: [] })),
  /** 17 MiB of blanks, then the right page: the size alone is wrong */
  oversized: (response, page) => {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' });
    const blanks = Buffer.alloc(1024 * 1024, ' ');
    for (let sent = 0; sent < 17; sent++) response.write(blanks);
    response.end(JSON.stringify(page));
  },
  /** the connection breaks off before the answer */
  reset: (response) => response.destroy(),
  /** and within it */
  'reset-within': (response, page) => {
    response.writeHead(200, {
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': 1_000_000,
    });
    response.write(JSON.stringify(page).slice(0, 10), () => response.destroy());
  },
  /** 4 s late */
  slow: (response, page) => {
    const timer = setTimeout(() => sendJson(response, JSON.stringify(page)), 4_000);
    response.on('close', () => clearTimeout(timer));
  },
  /** never an answer */
  hang: () => {},
  /** a byte now and then: the connection is never idle, the answer never whole */
  trickle: (response) => {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
} satisfies Record<string, Misbehave>;

export type FakeFault = keyof typeof fakeFaults;

export function sendJson(response: ServerResponse, text: string): void {
  send(response, 200, 'text/javascript; charset=utf-8', text);
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type });
  response.end(text);
}
