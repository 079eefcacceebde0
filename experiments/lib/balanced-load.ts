import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export type LoadCall = { method: string; path: string; body?: unknown; cost: 0 | 1 };
type Outcome = { kind: string; status: number | null; ms: number };

/** As load balancers do: an address is called while its last `/readyz` was 200. */
const readyPollMs = 500;

/**
 * Calls gateways in turn over connections that are kept, and repeats nothing. Only gateways whose `/readyz` answers 200
 * are called. Each key makes `perSecondOfKey` calls, whatever becomes of them.
 */
export function startBalancedLoad(options: {
  urls: readonly string[];
  keys: readonly string[];
  calls: readonly LoadCall[];
  perSecondOfKey: number;
}) {
  const { urls, keys, calls, perSecondOfKey } = options;
  const agents = new Map(urls.map((url) => [url, new Agent({ keepAlive: true })]));
  const ready = new Set(urls);
  const outcomes: Outcome[] = [];
  /** Calls that cost an API request and were answered with 200, by key. */
  const spent = new Map<string, number>();
  const pending = new Set<Promise<void>>();
  let isOver = false;
  let turn = 0;
  let closedPolitely = 0;

  async function pollReadiness(url: string): Promise<void> {
    while (!isOver) {
      const status = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
        (response) => response.status,
        () => null,
      );
      if (status === 200) ready.add(url);
      else ready.delete(url);
      await sleep(readyPollMs);
    }
  }

  /** The gateway whose turn it is; any one while none is ready. */
  const nextUrl = () => [...(ready.size > 0 ? ready : urls)][turn++ % (ready.size || urls.length)] as string;

  async function send(key: string, { method, path, body }: LoadCall): Promise<Outcome> {
    const url = nextUrl();
    const startedAt = performance.now();
    const outcome = (status: number | null, kind: string): Outcome => ({
      kind,
      status,
      ms: performance.now() - startedAt,
    });
    try {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        'x-api-key': key,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      };
      const sent = request(`${url}/api/v1${path}`, { method, headers, agent: agents.get(url) });
      sent.end(text);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      if (response.headers.connection === 'close') closedPolitely++;
      const answer = (await response.toArray()).join('');
      const { statusCode = 0 } = response;
      return outcome(
        statusCode,
        statusCode === 200 ? '200' : `${statusCode} ${path} ${answer.slice(0, 200)}`,
      );
    } catch (error) {
      return outcome(null, `${(error as NodeJS.ErrnoException).code ?? error} ${path}`);
    }
  }

  async function callOnce(index: number): Promise<void> {
    const key = keys[index % keys.length] as string;
    const call = calls[index % calls.length] as LoadCall;
    const outcome = await send(key, call);
    outcomes.push(outcome);
    if (outcome.status === 200) spent.set(key, (spent.get(key) ?? 0) + call.cost);
  }

  const polls = urls.map(pollReadiness);
  let sent = 0;
  const timer = setInterval(
    () => {
      const one = callOnce(sent++).finally(() => pending.delete(one));
      pending.add(one);
    },
    1000 / (keys.length * perSecondOfKey),
  );
  return {
    send,
    isReady: (url: string) => ready.has(url),
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      isOver = true;
      await Promise.all(polls);
      for (const agent of agents.values()) agent.destroy();
      const failures = outcomes.filter(({ status }) => status !== 200).map(({ kind }) => kind);
      return {
        answered: outcomes.length - failures.length,
        failures,
        slowestMs: Math.round(Math.max(0, ...outcomes.map(({ ms }) => ms))),
        closedPolitely,
        spent,
      };
    },
  };
}

export type BalancedLoad = ReturnType<typeof startBalancedLoad>;
