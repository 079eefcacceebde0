/**
 * The script of k6: `npm run load-test` starts it. Its settings come as one JSON file, LOAD_FILE; it writes the summary to
 * SUMMARY_FILE.
 */
import { sleep } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import http, { type RefinedResponse } from 'k6/http';
import { Counter, Rate } from 'k6/metrics';
import {
  type Account,
  type Call,
  type Data,
  isSuccess,
  makeVisit,
  pauseSeconds,
  pauseSecondsOfWhole,
  routeCount,
  routeOf,
} from './journey.ts';
import { type Edge, edgeRoute, isSlowRoute, type Load, toOptions } from './profiles.ts';

/** What the runner writes. */
export type LoadFile = Load & {
  /** of the gateways, in turns */
  urls: string[];
  accounts: Account[];
};

const file = JSON.parse(open(__ENV.LOAD_FILE as string)) as LoadFile;
const accounts = new SharedArray('accounts', () => file.accounts) as Account[];
export const options = toOptions(file);

/** Shares of calls without a success; what overload does not explain; those answered at an edge, and those answered wrongly. */
const failed = new Rate('failed');
const broken = new Counter('broken');
const failures = new Counter('failures');
const admitted = new Counter('admitted');
const wrong = new Counter('wrong');
/** Visits that have called every route. */
const wholeVisits = new Counter('whole_visits');

/** Everything of one account's visit, with a pause after each answer. */
export function visit(): void {
  const number = exec.scenario.iterationInTest;
  const account = accounts[number % accounts.length] as Account;
  // Otherwise an account would always have the same parts of a visit, when their numbers have a common divisor.
  const own = number + Math.floor(number / accounts.length);
  const isWhole = file.profile === 'smoke';
  const calls = makeVisit(account, own, isWhole);
  const called = new Set<string>();
  for (let next = calls.next(); !next.done; ) {
    called.add(routeOf(next.value));
    const response = send(next.value, account.key, number);
    sleep(isWhole ? pauseSecondsOfWhole : pauseSeconds);
    next = calls.next(dataOf(response));
  }
  if (called.size === routeCount) wholeVisits.add(1);
}

export function askForSecond(): void {
  askAtEdge('second', { method: 'GET', path: '/account/usage' }, 'RATE_LIMITED');
}

export function askForMinute(): void {
  askAtEdge('minute', { method: 'GET', path: '/account/usage' }, 'RATE_LIMITED');
}

export function askForQuota(): void {
  askAtEdge('quota', { method: 'GET', path: '/top-charts/categories' }, 'QUOTA_EXCEEDED');
}

function askAtEdge(edge: Edge, call: Call, code: string): void {
  const key = file.edgeKeys[edge] as string;
  const response = request(call, { key, turn: exec.scenario.iterationInTest, name: edgeRoute(edge) });
  const isAdmitted = response.status === 200;
  const { status, headers } = response;
  // A quota ends with the month: its refusal says so in `usage`, and not when to try again.
  const isExplained =
    code === 'QUOTA_EXCEEDED' ? response.body.includes('"usage":{') : Number(headers['Retry-After']) > 0;
  const isRefusal = status === 429 && codeOf(response) === code && isExplained;
  admitted.add(isAdmitted ? 1 : 0, { edge });
  wrong.add(isAdmitted || isRefusal ? 0 : 1, { edge });
}

function send(call: Call, key: string, turn: number): RefinedResponse<'text'> {
  const response = request(call, { key, turn, name: routeOf(call) });
  const { status } = response;
  failed.add(!isSuccess(response));
  if (isSuccess(response)) return response;
  const code = codeOf(response);
  failures.add(1, { code });
  if (status !== 429 && status !== 503) {
    broken.add(1);
    console.error(`${call.method} ${call.path}: ${status} ${code} ${String(response.body).slice(0, 300)}`);
  }
  return response;
}

function request(
  { method, path, body }: Call,
  { key, turn, name }: { key: string; turn: number; name: string },
): RefinedResponse<'text'> {
  const url = `${file.urls[turn % file.urls.length]}/api/v1${path}`;
  return http.request<'text'>(method, url, body === undefined ? null : JSON.stringify(body), {
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    tags: { name, kind: isSlowRoute(name) ? 'slow' : 'stored' },
    timeout: '120s',
    responseType: 'text',
  });
}

function dataOf(response: RefinedResponse<'text'>): Data {
  return isSuccess(response) ? JSON.parse(response.body).data : null;
}

/** The code of a failure; that of k6 when no answer came. */
function codeOf(response: RefinedResponse<'text'>): string {
  if (response.status === 0) return `no answer (${response.error_code})`;
  try {
    return JSON.parse(response.body).code;
  } catch {
    return `status ${response.status}`;
  }
}

export function handleSummary(data: unknown): Record<string, string> {
  return { [__ENV.SUMMARY_FILE as string]: JSON.stringify(data) };
}
