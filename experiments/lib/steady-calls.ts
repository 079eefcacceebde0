import { createApi } from '../../testing/system/api.ts';
import { type Answer, type Balancer, startBalancer } from './balancer.ts';
import { type BareFigures, startBareRun } from './bare-run.ts';
import { startOpenLoop } from './open-loop.ts';
import { quantile } from './quantile.ts';

/** What one key may send at most, with room. */
const everyMs = 1150;

/** `text`: what it got, and when. */
type FailedCall = Pick<Answer, 'status' | 'ms'> & { text: string };

/** How a load has ended. `bare`: a bare server meanwhile. */
export type SteadyResult = {
  calls: number;
  failed: FailedCall[];
  p50: number;
  p99: number;
  bare: BareFigures;
};

/**
 * Each key tracks an app of the sample, then reads lists, an audit and a history again and again; an open loop.
 * @param bareUrl of `startBareRun`
 */
export async function startSteadyCalls(url: string, keys: readonly string[], bareUrl: string) {
  const clients = await Promise.all(keys.map((key) => prepare(url, key)));
  const balancer = startBalancer([url]);
  const bareRun = await startBareRun(bareUrl);
  const startedAt = performance.now();
  const times: number[] = [];
  const failed: FailedCall[] = [];
  let calls = 0;
  const loop = startOpenLoop(everyMs / clients.length, async (index) => {
    const { key, paths } = clients[index % clients.length] as (typeof clients)[number];
    const path = paths[Math.floor(index / clients.length) % paths.length] as string;
    const { status, code, body, sentAt, ms } = await read(balancer, key, path);
    calls++;
    times.push(ms);
    if (status === 200) return;
    const seconds = ((sentAt - startedAt) / 1000).toFixed(1);
    const got = `${status ?? 'no answer'} ${code} ${body?.error ?? ''} (${Math.round(ms)} ms)`;
    failed.push({ status, ms, text: `${seconds} s ${path}: ${got}` });
  });
  return {
    async stop(): Promise<SteadyResult> {
      await loop.stop();
      await balancer.stop();
      const bare = await bareRun.stop();
      const at = (share: number) => Math.round(quantile(times, share));
      return { calls, failed, p50: at(0.5), p99: at(0.99), bare };
    },
  };
}

/** As HTTP clients do: a call on a kept connection that the server has closed meanwhile is made again, because it only reads. */
async function read(balancer: Balancer, key: string, path: string): Promise<Answer> {
  const call = { key, method: 'GET', path };
  const answer = await balancer.call(call);
  return answer.code === 'ECONNRESET' && answer.isReused ? balancer.call(call) : answer;
}

async function prepare(url: string, key: string) {
  const api = createApi(url, key);
  const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
  const app = await api('POST', '/applications', { app_id: '9005997251', ...market });
  const id = app.body.data?.id;
  await api('POST', '/keywords', { keywords: ['habit tracker', 'daily planner'], app_id: id, ...market });
  const list = await api('GET', `/keywords?app_id=${id}`);
  const keywordId = list.body.data?.[0]?.keyword_id;
  if (keywordId === undefined) throw new Error(`no keyword: ${JSON.stringify([app.body, list.body])}`);
  return {
    key,
    paths: [
      `/keywords?app_id=${id}`,
      '/applications',
      `/applications/${id}/aso-health`,
      `/keywords/${keywordId}/ranks/history`,
      '/account/usage',
    ],
  };
}
