import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Accounts } from '@shelfwise/gateway/accounts/accounts';
import express from 'express';
import { type Api, type ApiAnswer, createApi } from '../../testing/system/api.ts';
import { type SampleSystem, startSampleSystem } from '../../testing/system/start-sample-system.ts';
import { quantile } from '../lib/quantile.ts';
import { ownCpuMicros } from './rounds.ts';

/** A measured call. Path and body may differ from call to call. */
export type TimedCall = {
  method?: 'GET' | 'POST';
  path: string | (() => string);
  body?: object | (() => object);
  /** Whether this answer is the one to measure; any 200 when absent. */
  isExpected?: (body: ApiAnswer['body']) => boolean;
};

/** In ms, medians but `p95`. `cpuMs`: of this process for a call, including the services and the caller. `ratio`: to the bare answer. */
export type ApiTimes = { p50: number; p95: number; cpuMs: number; ratio: number };

/** Accounts that call in turn. */
export type Callers = { apis: Api[]; accountIds: string[] };

export const appId = '9005997251';
export const storefront = { store: 'ITUNES' as const, country: 'US', lang: 'en-US' };
export const inStorefront = new URLSearchParams(storefront);

/** A key may make 5 calls per second. With this many keys, sequential calls rarely hit the limit. */
const callerCount = 12;
const warmUps = 5;

/** Creates accounts without limits, and an API client for each. */
export async function createCallers(accounts: Accounts, url: string): Promise<Callers> {
  const callers: Callers = { apis: [], accountIds: [] };
  for (let index = 0; index < callerCount; index++) {
    const { id, key } = await accounts.create({ email: `times-${index}@example.com`, plan: 'unlimited' });
    callers.accountIds.push(id);
    callers.apis.push(createApi(url, key, { isPlain: true }));
  }
  return callers;
}

export type Request = readonly [method: string, path: string, body?: object];

/** @throws when the answer is not a success */
export async function send(api: Api, ...request: Request): Promise<ApiAnswer['body']> {
  const { status, body } = await api(...request);
  if (status !== 200 && status !== 202)
    throw new Error(`${request[0]} ${request[1]}: ${status} ${JSON.stringify(body)}`);
  return body;
}

export type TimesTable = {
  /** Measures and prints an endpoint. @throws when an answer is not 200 or not the expected one */
  show(name: string, callers: Pick<Callers, 'apis'>, call: TimedCall): Promise<ApiTimes>;
};

/**
 * Starts the whole system on the sample store in this process. The table compares endpoints with a bare Express answer of the same
 * bytes: the calls alternate, one at a time and without compression, so trust the ratios, not the times.
 */
export async function onSample(
  name: string,
  calls: number,
  measure: (parts: { sample: SampleSystem; callers: Callers; table: TimesTable }) => Promise<void>,
): Promise<void> {
  const sample = await startSampleSystem(name);
  const bare = express();
  let bareBody: unknown = {};
  bare.use(express.json());
  bare.all('/api/v1/bare', (_request, response) => void response.json(bareBody));
  const server = bare.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bareUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const callBare = createApi(bareUrl, 'none', { isPlain: true });
  let hasHeader = false;

  async function show(title: string, { apis }: Pick<Callers, 'apis'>, call: TimedCall): Promise<ApiTimes> {
    const { path, body, method = 'GET', isExpected = () => true } = call;
    const [times, bareTimes]: [number[], number[]] = [[], []];
    let cpuMicros = 0;
    for (let index = -warmUps; index < calls; index++) {
      const api = apis[(index + warmUps) % apis.length] as Api;
      const [sentPath, sentBody] = [resolved(path), body && resolved(body)];
      let before = ownCpuMicros();
      let answer = await api(method, sentPath, sentBody);
      // On a busy machine a long list may not be ready in time: it is asked for again, and its time is that of the answer.
      for (let again = 0; answer.status === 503 && again < 3; again++) {
        before = ownCpuMicros();
        answer = await api(method, sentPath, sentBody);
      }
      const after = ownCpuMicros();
      if (answer.status !== 200 || !isExpected(answer.body))
        throw new Error(`${sentPath}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 1000)}`);
      bareBody = answer.body;
      const bareAnswer = await callBare(method, '/bare', sentBody);
      if (index < 0) continue;
      cpuMicros += after - before;
      times.push(answer.ms);
      bareTimes.push(bareAnswer.ms);
    }
    const [p50, p95, bareMs] = [quantile(times, 0.5), quantile(times, 0.95), quantile(bareTimes, 0.5)];
    const cpuMs = cpuMicros / 1000 / calls;
    if (!hasHeader) row('endpoint', 'kB', 'p50 ms', 'p95 ms', 'CPU ms', 'bare ms', 'x bare');
    hasHeader = true;
    row(
      title,
      (Buffer.byteLength(JSON.stringify(bareBody)) / 1000).toFixed(0),
      ...[p50, p95, cpuMs, bareMs, p50 / bareMs].map((figure) => figure.toFixed(1)),
    );
    return { p50, p95, cpuMs, ratio: p50 / bareMs };
  }

  try {
    const callers = await createCallers(sample.system.accounts, sample.system.url);
    await measure({ sample, callers, table: { show } });
  } finally {
    server.close();
    await sample.stop();
  }
}

function row(name: string, ...cells: string[]): void {
  console.log(`${name.padEnd(40)}${cells.map((cell) => cell.padStart(10)).join('')}`);
}

function resolved<Value extends string | object>(value: Value | (() => Value)): Value {
  return typeof value === 'function' ? value() : value;
}
