import { until } from '../../testing/until.ts';
import { live, storefront, useSystems } from './use-systems.ts';

const { start, startStore } = useSystems();

test('while only the search of a store fails, no answer has a score of 0 for words that were not read', async () => {
  const store = await startStore();
  store.setFault('error', { only: '/search' });
  const { api } = await start(live(store.url));
  const tracked = await api('POST', '/applications', { app_id: '700000001', ...storefront });
  const id: number = tracked.body.data.id;
  const searches = () => store.calls().filter(({ path }) => path === '/search').length;
  const suggestions = () => store.calls().filter(({ path }) => path.includes('MZSearchHints')).length;
  // The suggestions of its words are known now, and that their pages cannot be read.
  await until(() => searches() >= 3 && suggestions() >= 3);

  const pending = { warnings: ['audit_pending'] };
  const list = (await api('GET', '/applications')).body;
  expect(list).toMatchObject({ data: [{ aso_health: null }], meta: pending });
  const health = (await api('GET', `/applications/${id}/aso-health`)).body;
  expect(health).toMatchObject({ data: { report: null, timeline: [] }, meta: pending });

  const simulated = await api('POST', '/metadata/simulate', { app_id: id });
  // 502 when not even a suggestion is known, which saves nothing.
  expect([200, 502]).toContain(simulated.status);
  const runs: { id: number; baseline_global: unknown; aso_health: unknown }[] = (
    await api('GET', '/metadata/simulate/history')
  ).body.data;
  expect(runs).toHaveLength(simulated.status === 200 ? 1 : 0);
  for (const run of runs) {
    expect(run).toMatchObject({ baseline_global: null, aso_health: null });
    const { data } = (await api('GET', `/metadata/simulate/history/${run.id}`)).body;
    const unread = { global: null, coverage: null, targeting: null, appeal: 0 };
    expect(data).toMatchObject({ baseline_global: null, aso_health: null, report: null, delta: unread });
  }
});
