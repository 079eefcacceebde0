import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../metrics.ts';
import type { Part } from './run.ts';
import { mapListenError } from './start-error.ts';
import { checkAll, type StatusCheck, worstState } from './status.ts';

/**
 * The HTTP server for operators, on METRICS_PORT and never on the public port: /metrics for Prometheus, /healthz
 * (alive) and /readyz (the status of each part; 503 when one is down).
 */
export function createOpsServer(options: {
  port: number;
  metrics: Metrics;
  checks: Readonly<Record<string, StatusCheck>>;
}): Part & { address(): AddressInfo | null } {
  const server = createServer((request, response) => {
    answer(request.url ?? '/', options).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  return {
    name: 'operations',
    start: () =>
      mapListenError(
        new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen(options.port, () => resolve());
        }),
        { address: `Port ${options.port}`, setting: 'METRICS_PORT' },
      ),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    address: () => server.address() as AddressInfo | null,
  };
}

async function answer(url: string, { metrics, checks }: Parameters<typeof createOpsServer>[0]) {
  const path = url.split('?')[0];
  if (path === '/metrics')
    return { status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() };
  if (path === '/healthz') return { status: 200, type: 'application/json', body: '{"status":"alive"}' };
  if (path !== '/readyz')
    return { status: 404, type: 'text/plain', body: 'try /metrics, /healthz or /readyz' };
  const parts = await checkAll(checks);
  const state = worstState(parts);
  const body = JSON.stringify({ status: state, parts }, null, 2);
  return { status: state === 'down' ? 503 : 200, type: 'application/json', body };
}
