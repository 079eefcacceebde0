import { once } from 'node:events';
import { connect } from 'node:net';
import { createMetrics } from '../src/metrics.ts';
import { createOpsServer, readParts } from '../src/process/ops-server.ts';
import { PartState } from '../src/process/status.ts';

test('operators get metrics, liveness and readiness on a separate port', async () => {
  let state: 'OK' | 'DOWN' = PartState.OK;
  const metrics = createMetrics();
  const check = async () => ({ name: 'database', state, detail: 'answers', is_embedded: true });
  const server = createOpsServer({
    host: '127.0.0.1',
    port: 0,
    metrics,
    readReadiness: () => readParts({ database: check }),
  });
  await server.start();
  const base = server.url();
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  try {
    metrics.eventsPublished.inc({ topic: 't' });
    expect(await (await fetch(`${base}/metrics`)).text()).toMatch(
      /shelfwise_events_published_total\{topic="t"\} 1/,
    );
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    const ready = await fetch(`${base}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      status: 'ok',
      parts: [{ name: 'database', detail: 'answers', is_embedded: true }],
    });
    state = PartState.DOWN;
    expect((await fetch(`${base}/readyz`)).status).toBe(503);
    expect((await fetch(`${base}/else`)).status).toBe(404);
  } finally {
    await server.stop();
  }
});

test('the port is open on its host only', async () => {
  const readReadiness = async () => ({ status: 'ok' });
  const server = createOpsServer({ host: '127.0.0.2', port: 0, metrics: createMetrics(), readReadiness });
  await server.start();
  try {
    expect((await fetch(`${server.url()}/healthz`)).status).toBe(200);
    const elsewhere = server.url().replace('127.0.0.2', '127.0.0.1');
    await expect(fetch(`${elsewhere}/healthz`)).rejects.toThrow();
  } finally {
    await server.stop();
  }
});

test('a draining process is not ready', async () => {
  const readReadiness = async () => ({ status: 'draining' });
  const server = createOpsServer({ host: '127.0.0.1', port: 0, metrics: createMetrics(), readReadiness });
  await server.start();
  try {
    expect((await fetch(`${server.url()}/readyz`)).status).toBe(503);
  } finally {
    await server.stop();
  }
});

test('the port has a limit of connections', async () => {
  const readReadiness = async () => ({ status: 'ready' });
  const server = createOpsServer({ host: '127.0.0.1', port: 0, metrics: createMetrics(), readReadiness });
  await server.start();
  const { port } = new URL(server.url());
  const sockets = Array.from({ length: 103 }, () => connect(Number(port), '127.0.0.1'));
  try {
    await Promise.all(sockets.slice(100).map((socket) => once(socket, 'close')));
    expect(sockets.filter(({ closed }) => closed)).toHaveLength(3);
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.stop();
  }
});
