import { once } from 'node:events';
import { connect } from 'node:net';
import { useClosing } from '../../testing/use-closing.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { createOpsServer, readParts } from '../src/process/ops-server.ts';
import { PartState } from '../src/process/status.ts';

const closing = useClosing();

/** A server with this readiness, which runs until the end of the test. */
async function start(changes: Partial<Parameters<typeof createOpsServer>[0]>) {
  const metrics = createMetrics();
  const readReadiness = async () => ({ status: 'ready' });
  const server = createOpsServer({ host: '127.0.0.1', port: 0, metrics, readReadiness, ...changes });
  await server.start();
  closing.push(() => server.stop());
  return { base: server.url(), metrics };
}

test('operators get metrics, liveness and readiness on a separate port', async () => {
  let state: 'OK' | 'DOWN' = PartState.OK;
  const check = async () => ({ name: 'database', state, detail: 'answers', is_embedded: true });
  const { base, metrics } = await start({ readReadiness: () => readParts({ database: check }) });
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
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
});

test('the port is open on its host only', async () => {
  const { base } = await start({ host: '127.0.0.2' });
  expect((await fetch(`${base}/healthz`)).status).toBe(200);
  await expect(fetch(`${base.replace('127.0.0.2', '127.0.0.1')}/healthz`)).rejects.toThrow();
});

test('the port has a limit of connections', async () => {
  const { base } = await start({});
  const { port } = new URL(base);
  const sockets = Array.from({ length: 103 }, () => connect(Number(port), '127.0.0.1'));
  closing.push(() => sockets.forEach((socket) => void socket.destroy()));
  await Promise.all(sockets.slice(100).map((socket) => once(socket, 'close')));
  expect(sockets.filter(({ closed }) => closed)).toHaveLength(3);
});
