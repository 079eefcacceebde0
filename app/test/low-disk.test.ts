import type { Readiness } from '@shelfwise/gateway/pages/readiness';
import { storefront, trackExample, useSystems } from './use-systems.ts';

const { start, account } = useSystems();

/** More than any disk has, in MiB. */
const everything = '1000000';

test('while the disk is almost full, calls that change something are 503 and cost nothing, and reading goes on', async () => {
  const first = await start();
  await trackExample(first);
  await first.end();

  const system = await start({ MIN_FREE_DISK_MB: everything });
  const api = system.api;
  const readUsage = async () => (await api('GET', '/account/usage')).body.data.usage;
  const before = await readUsage();
  const refused = [
    await api('POST', '/keywords', { keywords: ['notes'], app_id: 1, ...storefront }),
    await api('POST', '/metadata/check', { store: 'ITUNES', title: 'Notes' }),
    await api('DELETE', '/applications/1'),
  ];
  for (const { status, body } of refused) {
    expect(status).toBe(503);
    expect(body.code).toBe('SERVICE_UNAVAILABLE');
    expect(body.error).toMatch(/almost full\. Its operator must free some space; then try again\./);
  }
  expect(await readUsage()).toEqual(before);

  expect((await api('GET', '/keywords')).body.data).toHaveLength(3);
  const where = 'store=ITUNES&country=US&lang=en-US';
  for (const path of [
    `/autocomplete?prefix=hab&${where}`,
    `/keywords/inspect?keyword=habit%20tracker&${where}`,
  ]) {
    const { status, body } = await api('GET', path);
    expect([path, status, body.meta?.warnings]).toEqual([path, 200, ['history_save_failed']]);
  }
  const after = await readUsage();
  expect(after.autocomplete_queries).toBe(before.autocomplete_queries + 1);
  expect(after.api_requests).toBeGreaterThanOrEqual(before.api_requests + 2);

  const response = await fetch(`${system.url}/readyz`);
  const { services } = (await response.json()) as Readiness;
  expect(response.status).toBe(200);
  expect(services.gateway).toContainEqual(expect.objectContaining({ name: 'disk space', state: 'degraded' }));
  expect(services.tracking).toContainEqual(expect.objectContaining({ name: 'daily run', state: 'degraded' }));

  // Small writes of an operator use the reserve.
  const created = await account(['create', '--email', 'a@b.c', '--plan', 'free', '--json']);
  expect(created.code).toBe(0);
});
