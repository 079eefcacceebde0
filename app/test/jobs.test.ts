import { type Api, createApi } from '../../testing/system/api.ts';
import { until } from '../../testing/until.ts';
import { storefront, useSystems } from './use-systems.ts';

const { start, startProcess } = useSystems();

const words = (count: number) => Array.from({ length: count }, (_, index) => `habit ${index}`);

async function trackApp(api: Api): Promise<number> {
  const { body } = await api('POST', '/applications', { app_id: '9005997251', ...storefront });
  return body.data.id;
}

const perPage = 60;

const read = async (api: Api, id: number, page = 1) =>
  (await api('GET', `/jobs/${id}?page=${page}&per_page=${perPage}`)).body.data;

/** Reads the job until it is as the test wants it. `pass` moves the clock of a system in this process. */
async function readUntil(
  api: Api,
  id: number,
  isReached: (job: Job) => boolean,
  pass: (ms: number) => void = () => {},
): Promise<Job> {
  let job: Job = null;
  const hasReached = async () => {
    pass(1000);
    job = await read(api, id);
    return isReached(job);
  };
  await until(hasReached, { everyMs: 100 });
  return job;
}

type Job = Awaited<ReturnType<typeof read>>;

/** How many keywords the account tracks. */
const countTracked = async (api: Api) => (await api('GET', '/keywords?per_page=1&page=1')).body.meta?.total;

test('a kill -9 in the middle of a job loses no keyword and does none twice', async () => {
  const first = await startProcess();
  const api = createApi(first.url, first.key ?? '');
  const appId = await trackApp(api);
  const total = 2 * perPage;
  const { status, body } = await api('POST', '/jobs', {
    kind: 'track_keywords',
    app_id: appId,
    keywords: words(total),
  });
  expect([status, body.data]).toMatchObject([202, { state: 'queued', total }]);
  const { id } = body.data;
  await readUntil(api, id, ({ done }) => done >= 20);
  await first.end('SIGKILL');

  const again = await start();
  const other = createApi(again.url, again.key ?? '');
  expect((await read(other, id)).done).toBeLessThan(total);
  // The claim of the process that is gone ends in time.
  const ended = await readUntil(other, id, ({ finished_at: end }) => end !== null, again.pass);
  expect(ended).toMatchObject({ state: 'done', done: total, failed: 0 });
  const results = [...ended.results, ...(await read(other, id, 2)).results];
  expect(results.map(({ tracked }) => tracked?.keyword)).toEqual(words(total));
  expect(await countTracked(other)).toBe(total);
});

test('inspections of a job count as single ones, and are in the history', async () => {
  const { api } = await start();
  const before = (await api('GET', '/account/usage')).body.data.usage;
  const keywords = ['habit tracker', 'daily planner', 'mood'];
  const { body } = await api('POST', '/jobs', { kind: 'inspect_keywords', ...storefront, keywords });
  const { id } = body.data;
  const job = await readUntil(api, id, ({ finished_at: end }) => end !== null);
  expect(job).toMatchObject({ kind: 'inspect_keywords', state: 'done', done: 3, failed: 0, eta: null });
  expect(job.results[0].inspection).toMatchObject({ keyword: 'habit tracker', store: 'ITUNES' });
  const after = (await api('GET', '/account/usage')).body.data.usage;
  expect(after.api_requests - before.api_requests).toBe(3);
  expect(after.keyword_inspections - before.keyword_inspections).toBe(3);
  const history = (await api('GET', '/keywords/inspect/history')).body.data;
  expect(history.map((row: { keyword_name: string }) => row.keyword_name).sort()).toEqual(keywords.sort());
  expect((await api('GET', '/jobs')).body.data).toMatchObject([{ id, state: 'done' }]);
});
