import { createServer } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { Metrics } from '../metrics/metrics.ts';
import type { Part } from './run.ts';
import { mapListenError } from './start-error.ts';
import { checkAll, type PartStatus, type StatusCheck, worstState } from './status.ts';

/** Prometheus, a load balancer and the kubelet need a few. The port asks for no key, so nothing else limits its callers. */
const mostConnections = 100;
const requestWithinMs = 5000;

/** What /readyz shows. */
export type OpsReadiness = { status: string };

/**
 * The HTTP server for operators, on METRICS_HOST and METRICS_PORT and never on the public port: /metrics for
 * Prometheus, /healthz (alive) and /readyz (the status of each part with its details; 503 when one is down, or the process
 * is starting or draining).
 */
export function createOpsServer(options: {
  host: string;
  port: number;
  metrics: Metrics;
  readReadiness: () => Promise<OpsReadiness>;
}): Part & { /** Its address, from the start on. */ url(): string } {
  const { host, port } = options;
  const limits = { requestTimeout: requestWithinMs, headersTimeout: requestWithinMs, maxHeaderSize: 8192 };
  const server = createServer({ ...limits, connectionsCheckingInterval: 1000 }, (request, response) => {
    answer(request.url ?? '/', options).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = mostConnections;
  return {
    name: 'operations',
    start: () =>
      mapListenError(
        new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen({ host, port }, () => resolve());
        }),
        { address: `${withBrackets(host)}:${port}`, setting: 'METRICS_HOST or METRICS_PORT' },
      ),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    url: () => `http://${withBrackets(host)}:${(server.address() as AddressInfo | null)?.port}`,
  };
}

/** Reads the status of a process whose parts are these checks. */
export async function readParts(
  checks: Readonly<Record<string, StatusCheck>>,
): Promise<OpsReadiness & { parts: PartStatus[] }> {
  const parts = await checkAll(checks);
  return { status: worstState(parts), parts };
}

function withBrackets(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

async function answer(url: string, { metrics, readReadiness }: Parameters<typeof createOpsServer>[0]) {
  const path = url.split('?')[0];
  if (path === '/metrics')
    return { status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() };
  if (path === '/healthz') return { status: 200, type: 'application/json', body: '{"status":"alive"}' };
  if (path !== '/readyz')
    return { status: 404, type: 'text/plain', body: 'try /metrics, /healthz or /readyz' };
  const readiness = await readReadiness();
  const isReady = !['down', 'starting', 'draining'].includes(readiness.status);
  const body = JSON.stringify(readiness, null, 2);
  return { status: isReady ? 200 : 503, type: 'application/json', body };
}
