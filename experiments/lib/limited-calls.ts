import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account, AttackedGateway } from './gateways-on-redis.ts';

/** A call and its answer, on the monotonic clock of this process. */
export type LimitedCall = {
  status: number;
  retryAfterMs: number;
  sentMs: number;
  answeredMs: number;
};

const agent = new Agent({ keepAlive: true });

/** Calls the one endpoint. */
export function callGateway({ url }: AttackedGateway, { key }: Account): Promise<LimitedCall> {
  const sentMs = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/api/v1/applications`,
      { agent, headers: { 'x-api-key': key } },
      (response) => {
        response.resume();
        response.once('end', () => {
          const retryAfterMs = 1000 * Number(response.headers['retry-after'] ?? 0);
          resolve({ status: response.statusCode ?? 0, retryAfterMs, sentMs, answeredMs: performance.now() });
        });
      },
    );
    sent.once('error', reject);
    sent.end();
  });
}

/** Calls each account in turn at a constant rate, whatever the answers take, and returns them all. */
export async function callAtRate(
  gateways: readonly AttackedGateway[],
  accounts: readonly Account[],
  load: { perSecond: number; seconds: number },
): Promise<LimitedCall[]> {
  const calls: Promise<LimitedCall>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < load.perSecond * load.seconds; index++) {
    const dueMs = startedMs + (1000 * index) / load.perSecond;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 1) await sleep(earlyMs);
    const gateway = gateways[index % gateways.length] as AttackedGateway;
    calls.push(callGateway(gateway, accounts[index % accounts.length] as Account));
  }
  return Promise.all(calls);
}

/** The largest number of calls that were certainly in one window of `windowMs`: sent after its start, answered before its end. */
export function worstCertainCount(calls: readonly LimitedCall[], windowMs: number): number {
  const counts = calls.map(
    ({ sentMs: startMs }) =>
      calls.filter(({ sentMs, answeredMs }) => sentMs >= startMs && answeredMs < startMs + windowMs).length,
  );
  return Math.max(0, ...counts);
}

/** The largest number of times in any window of `windowMs`, wherever it starts. */
export function worstCount(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  let worst = 0;
  let start = 0;
  for (const [index, time] of sorted.entries()) {
    while (time - (sorted[start] as number) >= windowMs) start++;
    worst = Math.max(worst, index - start + 1);
  }
  return worst;
}
