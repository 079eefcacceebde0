import type { AddressInfo } from 'node:net';
import express from 'express';
import { type Api, type ApiAnswer, createApi } from '../../testing/system/api.ts';

/** A call whose time is taken. Its path and its body may be another one for each call. */
export type TimedCall = {
  method: 'GET' | 'POST';
  path: string | (() => string);
  body?: object | (() => object);
  /** Whether it is the answer that is meant to be timed; any 200 when absent. */
  isRight?: (body: ApiAnswer['body']) => boolean;
};

type Times = {
  p50: number;
  p95: number;
  /** Processor time of this process for one call: of everything in it, the caller too. */
  cpuMs: number;
  body: ApiAnswer['body'];
};

export type TimesTable = ReturnType<typeof createTimesTable>;

const warmUps = 5;
const nameWidth = 40;

/**
 * Prints how long endpoints take, each of so many calls one after the other, against a bare Express answer of the same
 * bytes in the same process.
 */
export function createTimesTable(calls: number) {
  const bare = express();
  bare.use(express.json());
  let sameBytes = {};
  bare.all('/api/v1/bare', (_request, response) => void response.json(sameBytes));
  const server = bare.listen(0, '127.0.0.1');

  return {
    showHeader(): void {
      console.log(
        `${'endpoint'.padEnd(nameWidth)}${'p50'.padStart(11)}${'p95'.padStart(11)}  x bare Express`,
      );
    },

    /** @throws when an answer is not 200, or not the right one */
    async show(name: string, apis: readonly Api[], call: TimedCall): Promise<Times> {
      const whole = await timesOf(apis, call, calls);
      sameBytes = whole.body;
      const { port } = server.address() as AddressInfo;
      const toBare = createApi(`http://127.0.0.1:${port}`, 'none');
      const base = await timesOf([toBare], { ...call, path: '/bare' }, calls);
      const ratio = `x${(whole.p50 / base.p50).toFixed(1)}`;
      console.log(`${name.padEnd(nameWidth)}${shownMs(whole.p50)}${shownMs(whole.p95)}${ratio.padStart(16)}`);
      return whole;
    },

    close: () => void server.close(),
  };
}

/** So many milliseconds, in a column. */
export function shownMs(ms: number): string {
  return `${ms.toFixed(1)} ms`.padStart(11);
}

/** After some calls to warm up. */
async function timesOf(
  apis: readonly Api[],
  { method, path, body, isRight = () => true }: TimedCall,
  calls: number,
): Promise<Times> {
  const times: number[] = [];
  let answer: ApiAnswer['body'] = {};
  let before = process.cpuUsage();
  for (let turn = 0; turn < warmUps + calls; turn++) {
    if (turn === warmUps) before = process.cpuUsage();
    const api = apis[turn % apis.length] as Api;
    const asked = typeof path === 'function' ? path() : path;
    const sent = typeof body === 'function' ? body() : body;
    const { status, body: answered, ms } = await api(method, asked, sent);
    if (status !== 200 || !isRight(answered))
      throw new Error(`${method} ${asked}: ${status} ${JSON.stringify(answered).slice(0, 1000)}`);
    if (turn >= warmUps) times.push(ms);
    answer = answered;
  }
  const { user, system } = process.cpuUsage(before);
  times.sort((one, other) => one - other);
  const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0;
  return { p50: at(0.5), p95: at(0.95), cpuMs: (user + system) / 1000 / calls, body: answer };
}
