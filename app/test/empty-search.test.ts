import { join } from 'node:path';
import type { Api } from '../../testing/system/api.ts';
import { live, storefront, useSystems } from './use-systems.ts';

const { start, dataDir, startStore } = useSystems();

/** Terms with results in the fake store. */
const terms = 'notes,photo,habit,budget,recipe,planner,steps,maps'.split(',');
const generous = { STORE_ITUNES_PER_MINUTE: '6000', STORE_ITUNES_HINTS_PER_MINUTE: '6000' };

const inspect = (api: Api, keyword: string) =>
  api('GET', `/keywords/inspect?${new URLSearchParams({ keyword, ...storefront })}`);

test('while every search is empty by mistake no keyword is tracked or scored, and afterwards the ranks are true', async () => {
  const store = await startStore();
  store.setFault('empty-search', { only: '/search' });
  const { api } = await start({ ...live(store.url), ...generous });
  const added = await api('POST', '/applications', { app_id: '700000001', ...storefront });
  expect(added.status).toBe(200);
  const track = (keywords: string[]) =>
    api('POST', '/keywords', { app_id: added.body.data.id, keywords, ...storefront });

  const [first = '', second = '', ...others] = terms.slice(0, 5);
  const { status, body } = await track([first, second]);
  expect([status, body.data.results]).toEqual([
    200,
    [first, second].map((keyword) => ({ keyword, error: expect.stringMatching(/no results/) })),
  ]);
  expect(await inspect(api, first)).toMatchObject({ status: 502, body: { code: 'STORE_FETCH_FAILED' } });
  expect((await api('GET', '/keywords')).body.data).toEqual([]);

  store.setFault('ok');
  const { results } = (await track(others)).body.data;
  expect(results).toMatchObject(others.map((keyword) => ({ keyword, success: expect.any(String) })));
  const found = await fetch(`${store.url}/search?term=${others[0]}&country=us`);
  const ranked = ((await found.json()) as { results: { trackId: number }[] }).results;
  const { body: inspected } = await inspect(api, others[0] ?? '');
  expect(inspected.data.ranking.map(({ app_id }: { app_id: string }) => app_id)).toEqual(
    ranked.slice(0, 20).map(({ trackId }) => String(trackId)),
  );
});

test('while a third of the searches is empty by mistake, each of 24 inspections fails or is as on a good day', async () => {
  const store = await startStore();
  const settings = { ...live(store.url), ...generous };
  const well = await start({ ...settings, SHELFWISE_DATA_DIR: join(dataDir(), 'well') });
  const answersWhenWell = new Map<string, unknown>();
  for (const term of terms) answersWhenWell.set(term, readResult(await inspect(well.api, term)));

  store.setFault('empty-search', { only: '/search', rate: 0.3 });
  const faulty = await start({ ...settings, SHELFWISE_DATA_DIR: join(dataDir(), 'faulty') });
  const api = faulty.api;
  const statuses: number[] = [];
  for (let call = 0; call < 24; call++) {
    const term = terms[call % terms.length] ?? '';
    const answer = await inspect(api, term);
    statuses.push(answer.status);
    if (answer.status === 200) expect(readResult(answer)).toEqual(answersWhenWell.get(term));
  }
  expect(new Set(statuses)).toEqual(new Set([200, 502]));
});

/** What an inspection says about ranks, and the score that depends on them alone. */
function readResult({ status, body }: Awaited<ReturnType<Api>>) {
  expect(status).toBe(200);
  return { difficulty: body.data.difficulty_score, ranking: body.data.ranking };
}
