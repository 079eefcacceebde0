import { connect } from 'node:net';

export type LoadOrder = {
  port: number;
  path: string;
  /** used in rotation; empty: calls without a key */
  keys: string[];
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
async function run({ port, path, keys, connections, seconds }: LoadOrder): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const statuses: Record<string, number> = {};
  let nextKey = 0;
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1000;

  const loop = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let sentMs = 0;
      let received = '';
      const send = () => {
        const key = keys.length > 0 ? `X-API-Key: ${keys[nextKey++ % keys.length]}\r\n` : '';
        sentMs = performance.now();
        socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${key}\r\n`);
      };
      socket.setNoDelay(true).once('connect', send).once('error', reject).once('close', resolve);
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        const status = completeStatus(received);
        if (status === null) return;
        received = '';
        statuses[status] = (statuses[status] ?? 0) + 1;
        latenciesMs.push(performance.now() - sentMs);
        if (performance.now() < endMs) send();
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
