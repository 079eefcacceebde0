import { createMetrics } from '../src/metrics.ts';
import { createOpsServer } from '../src/process/ops-server.ts';
import { PartState } from '../src/process/status.ts';

test('operators get metrics, liveness and readiness on a separate port', async () => {
  let state: 'OK' | 'DOWN' = PartState.OK;
  const metrics = createMetrics();
  const check = async () => ({ name: 'database', state, detail: 'answers', is_embedded: true });
  const server = createOpsServer({ port: 0, metrics, checks: { database: check } });
  await server.start();
  const base = `http://127.0.0.1:${server.address()?.port}`;
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
      parts: [{ name: 'database', is_embedded: true }],
    });
    state = PartState.DOWN;
    expect((await fetch(`${base}/readyz`)).status).toBe(503);
    expect((await fetch(`${base}/else`)).status).toBe(404);
  } finally {
    await server.stop();
  }
});
