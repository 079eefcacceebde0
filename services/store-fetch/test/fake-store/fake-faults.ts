import type { ServerResponse } from 'node:http';
import type { FakeAnswer } from './app-store-pages.ts';
import { nothingFound, toPage, toSearchData } from './google-play-shapes.ts';

type Misbehave = (response: ServerResponse, answer: FakeAnswer) => void;

const captcha =
  '<html><body>Our systems have detected unusual traffic <script src="https://captcha.example/api.js"></script></body></html>';

/** The faults of the fake store. Each one receives the answer that the store would have given. */
export const fakeFaults = {
  /** over its limit: refused, with an empty body */
  blocked: (response) => send(response, 403, 'text/html', ''),
  'too-many': (response) => send(response, 429, 'text/html', ''),
  captcha: (response) => send(response, 200, 'text/html', captcha),
  'captcha-refusal': (response) => send(response, 429, 'text/html', captcha),
  error: (response) => send(response, 503, 'text/html', 'Service Unavailable'),
  'bad-request': (response) => send(response, 400, 'application/json', '{"errorMessage":"Invalid value(s)"}'),
  redirect: (response, answer) =>
    sendAnswer(response, { ...answer, status: 302, headers: { location: '/elsewhere' } }),
  /** another page */
  garbage: (response) => send(response, 200, 'text/html', '<!doctype html><p>moved'),
  empty: (response, answer) => sendAnswer(response, { ...answer, text: '' }),
  truncated: (response, answer) => sendAnswer(response, { ...answer, text: answer.text.slice(0, -20) }),
  'not-utf8': (response, { status, contentType, text }) => {
    response.writeHead(status, { 'content-type': contentType });
    // within the first JSON text, or at the end of a page
    const odd = text.startsWith('{') ? text.replace('{', '{"note":"é",') : `${text}<!--é-->`;
    response.end(Buffer.from(odd, 'latin1'));
  },
  'not-gzip': (response, answer) => {
    response.setHeader('content-encoding', 'gzip');
    sendAnswer(response, answer);
  },
  'other-json': (response) => sendJson(response, '{"items":[{"entry":[]}]}'),
  /** the last row of a list has no id, or no equivalent of it */
  'wrong-shape': (response, answer) => {
    const last = /^(.*)(?:"trackId":\d+,|"im:id":"\d{9}",|<key>term<\/key><string>[^<]*<\/string>)/s;
    sendAnswer(response, { ...answer, text: answer.text.replace(last, '$1') });
  },
  /** a chart of the App Store whose second row has no price, the third an odd artist, and the fourth an odd icon */
  'odd-rows': (response, answer) => {
    const chart = JSON.parse(answer.text);
    const [, second, third, fourth] = chart.feed.entry;
    delete second['im:price'];
    third['im:artist'] = { label: 7 };
    fourth['im:image'] = [{ label: 'not an address', attributes: { height: '100' } }];
    sendAnswer(response, { ...answer, text: JSON.stringify(chart) });
  },
  /** a new version of the App Store's pages in which developers, ratings and prices have other names */
  'lost-fields': (response, answer) =>
    sendAnswer(response, {
      ...answer,
      text: answer.text.replaceAll(/"(artistName|averageUserRating|im:artist|im:price)":/g, '"new $1":'),
    }),
  /** a new version of the page with other names for what readers need */
  changed: (response, answer) =>
    sendAnswer(response, {
      ...answer,
      text: newNames.reduce((text, [name, newName]) => text.replaceAll(name, newName), answer.text),
    }),
  /** announces results but sends none */
  'count-mismatch': (response, { text }) =>
    sendJson(response, JSON.stringify({ resultCount: Math.max(5, countResults(text)), results: [] })),
  /** over its limit for suggestions: answered with an empty list */
  'empty-hints': (response, answer) =>
    sendAnswer(response, { ...answer, text: answer.text.replace(/<array>.*<\/array>/s, '<array></array>') }),
  /** a search without results, though there are some: only for the paths of searches */
  'empty-search': (response, answer) => {
    const page = toPage({ 'ds:3': [], 'ds:4': toSearchData(nothingFound) });
    const isPage = answer.contentType.startsWith('text/html');
    sendAnswer(response, {
      ...answer,
      text: isPage ? page : JSON.stringify({ resultCount: 0, results: [] }),
    });
  },
  /** 17 MiB of spaces, then the right page: only the size is wrong */
  oversized: (response, { status, contentType, text }) => {
    response.writeHead(status, { 'content-type': contentType });
    const blanks = Buffer.alloc(1024 * 1024, ' ');
    for (let sent = 0; sent < 17; sent++) response.write(blanks);
    response.end(text);
  },
  /** the connection is closed before the answer */
  reset: (response) => response.destroy(),
  /** the connection is closed during the answer */
  'reset-within': (response, { status, contentType, text }) => {
    response.writeHead(status, { 'content-type': contentType, 'content-length': 1_000_000 });
    response.write(text.slice(0, 10), () => response.destroy());
  },
  /** 4 s late */
  slow: (response, answer) => {
    // biome-ignore lint/plugin: being late is the fault
    const timer = setTimeout(() => sendAnswer(response, answer), 4_000);
    response.on('close', () => clearTimeout(timer));
  },
  /** never an answer */
  hang: () => {},
  /** a byte now and then: the connection is never idle, the answer never complete */
  trickle: (response) => {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
} satisfies Record<string, Misbehave>;

export type FakeFault = keyof typeof fakeFaults;

/** The names that the reader of each endpoint needs. */
const newNames = [
  ['"results":', '"apps":'],
  ['<key>hints</key>', '<key>ideas</key>'],
  ['"entry":', '"entries":'],
  ['<h1', '<h6'],
  ['AF_initDataCallback', 'AF_loadData'],
  ['wrb.fr', 'wrb.xx'],
] as const;

export function sendAnswer(
  response: ServerResponse,
  { status, contentType, text, headers }: FakeAnswer,
): void {
  response.writeHead(status, { 'content-type': contentType, ...headers });
  response.end(text);
}

export function sendJson(response: ServerResponse, text: string): void {
  send(response, 200, 'text/javascript; charset=utf-8', text);
}

function send(response: ServerResponse, status: number, contentType: string, text: string): void {
  sendAnswer(response, { status, contentType, text });
}

function countResults(text: string): number {
  return Number(/"resultCount":(\d+)/.exec(text)?.[1] ?? 0);
}
