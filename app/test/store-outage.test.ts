import {
  answerAppStore,
  type FakeAnswer,
} from '../../services/store-fetch/test/fake-store/app-store-pages.ts';
import { startFakeStore } from '../../services/store-fetch/test/fake-store/start-fake-store.ts';
import { callWithin } from '../../testing/call-within.ts';
import { createRunningClock } from '../../testing/running-clock.ts';
import { createApi } from '../../testing/system/api.ts';
import { letWindowsPass } from '../../testing/system/rate-windows.ts';
import { createSink } from '../../testing/system/run-command-here.ts';
import { startSampleSystem } from '../../testing/system/start-sample-system.ts';
import { until } from '../../testing/until.ts';
import { live, storefront } from './use-systems.ts';

const firstMoment = Date.parse('2026-06-01T09:30:00Z');
const minuteMs = 60_000;
const keywords = ['notes', 'photo', 'habit', 'budget', 'recipe'];

/** The page of a search with its apps in the opposite order. */
function reverse(answer: FakeAnswer): FakeAnswer {
  const page = JSON.parse(answer.text);
  return { ...answer, text: JSON.stringify({ ...page, results: page.results.reverse() }) };
}

test('a store that is away for a day is one store_blocked and one store_recovered; what has changed meanwhile is published with the last day that was read, and nothing else', async () => {
  let hasChanged = false;
  const store = await startFakeStore({
    answerOf({ url, headers }) {
      const answer = answerAppStore(url, headers['x-apple-store-front']?.toString());
      const isChanged = hasChanged && url.pathname === '/search' && url.searchParams.get('term') === 'notes';
      return answer && isChanged ? reverse(answer) : answer;
    },
  });
  const clock = createRunningClock(firstMoment);
  const { system, stop } = await startSampleSystem('outage', {
    ...clock,
    destination: createSink(() => {}),
    settings: { ...live(store.url), DAILY_RUN: 'true' },
  });
  letWindowsPass(system.url, clock.moveBy);
  const pass = (minutes: number) => clock.moveBy(minutes * minuteMs);
  try {
    const { key } = await system.accounts.create({ email: 'outage@example.com', plan: 'unlimited' });
    const call = createApi(system.url, key);
    const { body } = await call('POST', '/applications', { app_id: '700000001', ...storefront });
    const appId = body.data.id;
    const added = await call('POST', '/keywords', { app_id: appId, keywords, ...storefront });
    expect(added.body.data.success_count).toBe(keywords.length);
    expect((await call('POST', '/alerts/rules', { kind: 'store_recovered' })).status).toBe(200);
    for (const kind of ['rank_rise', 'entered_top'])
      expect((await call('POST', '/alerts/rules', { kind })).status).toBe(200);
    const readAll = async () => {
      await system.clients.tracking.startSnapshotRun({ all_of_today: true }, callWithin());
    };
    const feed = async (): Promise<string[]> => {
      const { data } = (await call('GET', '/alerts?since=0&per_page=200')).body;
      return data.map(({ kind }: { kind: string }) => kind);
    };
    const inspect = (keyword: string) =>
      call('GET', `/keywords/inspect?${new URLSearchParams({ keyword, ...storefront })}`);

    store.setFault('blocked');
    pass(14 * 60 + 40);
    await readAll();
    for (let hour = 0; hour < 24; hour += 6) {
      expect((await inspect(`away ${hour}`)).status).toBe(502);
      pass(6 * 60);
    }
    await until(async () => (await feed()).length > 0);
    expect(await feed()).toEqual(['store_blocked']);

    // From the first of eight apps to the last; the other four keywords stay as they are.
    hasChanged = true;
    store.setFault('ok');
    pass(60);
    await until(async () => (await inspect('notes')).status === 200);
    await readAll();
    await until(async () => (await feed()).length > 2);
    await until(async () => {
      const { data } = (await call('GET', `/keywords?app_id=${appId}`)).body;
      return data.every((row: { rank_date: string | null }) => row.rank_date === '2026-06-03');
    });
    const { data } = (await call('GET', '/alerts?since=0')).body;
    const of = (kind: string) => data.filter((row: { kind: string }) => row.kind === kind);
    expect(data).toHaveLength(3);
    for (const kind of ['store_blocked', 'store_recovered'])
      expect(of(kind)).toMatchObject([{ app: null, keyword: null, evidence: { store: 'ITUNES' } }]);
    expect(of('rank_drop')).toMatchObject([
      {
        keyword: 'notes',
        before: 1,
        after: 8,
        evidence: { days: { before: '2026-06-01', after: '2026-06-03' } },
      },
    ]);
  } finally {
    await store.stop();
    await stop();
  }
});
