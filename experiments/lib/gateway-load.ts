import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

export type LoadOrder = {
  port: number;
  path: string;
  /** used in rotation; empty: calls without a key; 'invalid': a new key of the right format for every call */
  keys: string[] | 'invalid';
  /** Sends a POST with a JSON text of this many bytes; absent: a GET. */
  bodyBytes?: number;
  connections: number;
  seconds: number;
};

export type LoadResult = {
  count: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  statuses: Record<string, number>;
};

/**
 * Closed loop: each connection sends its next request when the last one is answered. Plain sockets keep the CPU cost
 * low.
 */
async function run(order: LoadOrder): Promise<LoadResult> {
  const { port, connections, seconds } = order;
  const latenciesMs: number[] = [];
  const statuses: Record<string, number> = {};
  const createRequest = createRequests(order);
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1000;

  /** Opens another connection when the server ends one. */
  const loop = async () => {
    while (performance.now() < endMs) await useConnection();
  };
  const useConnection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let sentMs = 0;
      let received = '';
      const send = () => {
        sentMs = performance.now();
        socket.write(createRequest());
      };
      const onError = (error: NodeJS.ErrnoException) => {
        // A server that does not read a body resets the connection.
        if (error.code === 'ECONNRESET' || error.code === 'EPIPE') statuses.reset = (statuses.reset ?? 0) + 1;
        else reject(error);
      };
      socket.setNoDelay(true).once('connect', send).on('error', onError).once('close', resolve);
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        const status = completeStatus(received);
        if (status === null) return;
        const isClosing = /\r\nconnection: close/i.test(received);
        received = '';
        statuses[status] = (statuses[status] ?? 0) + 1;
        latenciesMs.push(performance.now() - sentMs);
        if (isClosing) socket.destroy();
        else if (performance.now() < endMs) send();
        else socket.end();
      });
    });
  await Promise.all(Array.from({ length: connections }, loop));

  latenciesMs.sort((a, b) => a - b);
  const quantile = (part: number) => latenciesMs[Math.floor((latenciesMs.length - 1) * part)] ?? 0;
  return {
    count: latenciesMs.length,
    seconds: (performance.now() - startedMs) / 1000,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    statuses,
  };
}

/** Creates the bytes of one request after another. */
function createRequests({ path, keys, bodyBytes }: LoadOrder): () => string {
  const json = bodyBytes === undefined ? '' : JSON.stringify('x'.repeat(bodyBytes - 2));
  const entity = json && `Content-Type: application/json\r\nContent-Length: ${json.length}\r\n`;
  const method = bodyBytes === undefined ? 'GET' : 'POST';
  let next = 0;
  const nextKey = () =>
    keys === 'invalid' ? `sw_live_${randomBytes(22).toString('hex').slice(1)}` : keys[next++ % keys.length];
  return () => {
    const key = keys.length > 0 ? `X-API-Key: ${nextKey()}\r\n` : '';
    return `${method} ${path} HTTP/1.1\r\nHost: bench\r\n${key}${entity}\r\n${json}`;
  };
}

/** The status of a complete answer; null while the answer is incomplete. */
function completeStatus(text: string): string | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return text.length >= headEnd + 4 + length ? text.slice(9, 12) : null;
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
