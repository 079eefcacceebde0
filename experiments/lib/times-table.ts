import type { AddressInfo } from 'node:net';
import express from 'express';
import { type Api, type ApiAnswer, createApi } from '../../testing/system/api.ts';

/** A measured call. Path and body may differ from call to call. */
export type TimedCall = {
  method: 'GET' | 'POST';
  path: string | (() => string);
  body?: object | (() => object);
  /** Whether this answer is the one to measure; any 200 when absent. */
  isExpected?: (body: ApiAnswer['body']) => boolean;
};

type Times = {
  p50: number;
  p95: number;
  /** CPU time of this process per call, including the services and the caller. */
  cpuMs: number;
  body: ApiAnswer['body'];
};

export type TimesTable = ReturnType<typeof createTimesTable>;

const warmUps = 5;
const nameWidth = 40;

/**
 * Measures endpoints with `calls` sequential calls each, and prints the times next to those of a bare Express answer
 * of the same bytes in the same process.
 */
export function createTimesTable(calls: number) {
  const bare = express();
  bare.use(express.json());
  let bareBody = {};
  bare.all('/api/v1/bare', (_request, response) => void response.json(bareBody));
  const server = bare.listen(0, '127.0.0.1');

  return {
    showHeader(): void {
      console.log(
        `${'endpoint'.padEnd(nameWidth)}${'p50'.padStart(11)}${'p95'.padStart(11)}  x bare Express`,
      );
    },

    /** @throws when an answer is not 200 or not the expected one */
    async show(name: string, apis: readonly Api[], call: TimedCall): Promise<Times> {
      const measured = await timesOf(apis, call, calls);
      bareBody = measured.body;
      const { port } = server.address() as AddressInfo;
      const toBare = createApi(`http://127.0.0.1:${port}`, 'none');
      const baseline = await timesOf([toBare], { ...call, path: '/bare' }, calls);
      const ratio = `x${(measured.p50 / baseline.p50).toFixed(1)}`;
      console.log(
        `${name.padEnd(nameWidth)}${formatMs(measured.p50)}${formatMs(measured.p95)}${ratio.padStart(16)}`,
      );
      return measured;
    },

    close: () => void server.close(),
  };
}

/** A time as a table cell. */
export function formatMs(ms: number): string {
  return `${ms.toFixed(1)} ms`.padStart(11);
}

/** Measures after a few warm-up calls. */
async function timesOf(
  apis: readonly Api[],
  { method, path, body, isExpected = () => true }: TimedCall,
  calls: number,
): Promise<Times> {
  const times: number[] = [];
  let answer: ApiAnswer['body'] = {};
  let before = process.cpuUsage();
  for (let index = 0; index < warmUps + calls; index++) {
    if (index === warmUps) before = process.cpuUsage();
    const api = apis[index % apis.length] as Api;
    const requestPath = typeof path === 'function' ? path() : path;
    const requestBody = typeof body === 'function' ? body() : body;
    const { status, body: answerBody, ms } = await api(method, requestPath, requestBody);
    if (status !== 200 || !isExpected(answerBody))
      throw new Error(`${method} ${requestPath}: ${status} ${JSON.stringify(answerBody).slice(0, 1000)}`);
    if (index >= warmUps) times.push(ms);
    answer = answerBody;
  }
  const { user, system } = process.cpuUsage(before);
  times.sort((one, other) => one - other);
  const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0;
  return { p50: at(0.5), p95: at(0.95), cpuMs: (user + system) / 1000 / calls, body: answer };
}
