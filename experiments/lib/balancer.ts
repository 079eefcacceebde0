import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export type Call = { key: string; method: string; path: string; body?: unknown };

/** `status` is null when no complete answer came; `code` is then that of the connection. */
export type Answer = {
  status: number | null;
  code: string;
  // biome-ignore lint/suspicious/noExplicitAny: a script reads whatever comes
  body: any;
  sentAt: number;
  ms: number;
  /** The connection carried a call before, so without an answer it may have ended before this call came. */
  isReused: boolean;
};

/** More than the longest deadline of the calls that are made here. */
const answerTimeoutMs = 90_000;
const pollMs = 500;
const pollTimeoutMs = 1000;
/** A gateway that leaves this many health checks in a row unanswered is down. */
const downAfterPolls = 2;

/**
 * A load balancer before the gateways: calls take turns over those whose last `/readyz` was 200, on connections that
 * are kept. It repeats no call. The connections of a gateway that is down are cut, as HAProxy does with
 * `on-marked-down shutdown-sessions`; not those of the only address, behind which something else balances.
 */
export function startBalancer(urls: readonly string[]) {
  const agents = new Map(urls.map((url) => [url, new Agent({ keepAlive: true })]));
  const ready = new Set(urls);
  let isOver = false;
  let turn = 0;

  async function pollReadiness(url: string): Promise<void> {
    for (let unanswered = 0; !isOver; await sleep(pollMs)) {
      const status = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(pollTimeoutMs) }).then(
        (response) => response.status,
        () => null,
      );
      if (status === 200) ready.add(url);
      else ready.delete(url);
      unanswered = status === null ? unanswered + 1 : 0;
      if (unanswered === downAfterPolls && urls.length > 1) agents.get(url)?.destroy();
    }
  }

  /** The gateway whose turn it is; any one while none is ready. */
  const nextUrl = () => [...(ready.size > 0 ? ready : urls)][turn++ % (ready.size || urls.length)] as string;

  async function call({ key, method, path, body }: Call): Promise<Answer> {
    const url = nextUrl();
    const sentAt = performance.now();
    let sent: ClientRequest | undefined;
    const answer = (status: number | null, code: string, parsed: unknown): Answer => {
      const ms = performance.now() - sentAt;
      return { status, code, body: parsed, sentAt, ms, isReused: sent?.reusedSocket ?? false };
    };
    try {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        'x-api-key': key,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      };
      sent = request(`${url}/api/v1${path}`, { method, headers, agent: agents.get(url) });
      sent.setTimeout(answerTimeoutMs, () => sent?.destroy(new Error('no answer')));
      sent.end(text);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const parsed = JSON.parse((await response.toArray()).join(''));
      const { statusCode = 0 } = response;
      return answer(statusCode, parsed.code ?? String(statusCode), parsed);
    } catch (error) {
      return answer(null, String((error as NodeJS.ErrnoException).code ?? error), null);
    }
  }

  const polls = urls.map(pollReadiness);
  return {
    call,
    async stop() {
      isOver = true;
      await Promise.all(polls);
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

export type Balancer = ReturnType<typeof startBalancer>;
