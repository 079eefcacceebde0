import type { ScoreBreakdown } from '@shelfwise/proto/scoring/v1/score_breakdown';
import { type Api, createApi } from '../../testing/system/api.ts';
import { storefront, useSystems } from './use-systems.ts';

// Each start takes seconds on a busy machine, longer where the sources are newer than the build.
jest.setTimeout(120_000);

const { start, scores } = useSystems();
const explain = ['explain', '--store', 'ITUNES', '--country', 'us', '--keyword'];

/** Asks until the answer is there; fails when it is not after so many milliseconds. */
async function within(ms: number, isThere: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + ms;
  while (!(await isThere())) {
    if (performance.now() > giveUpAt) throw new Error(`not there after ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function trackApp(api: Api): Promise<number> {
  const { body } = await api('POST', '/applications', { app_id: '9005997251', ...storefront });
  return body.data.id;
}

test('an app that is tracked has its audit within 5 seconds, and the list of apps shows it', async () => {
  const system = await start();
  const api = createApi(system.url, system.key ?? '');
  const id = await trackApp(api);
  await within(5000, async () => (await api('GET', '/applications')).body.data[0].aso_health !== null);
  const { body } = await api('GET', `/applications/${id}/aso-health?include_words=true`);
  const { report } = body.data;
  expect(report.axes.map(({ key }: { key: string }) => key)).toEqual(['coverage', 'targeting', 'appeal']);
});

test('a keyword that is tracked has its scores within seconds', async () => {
  const system = await start();
  const api = createApi(system.url, system.key ?? '');
  const appId = await trackApp(api);
  await api('POST', '/keywords', {
    keywords: ['habit tracker', 'daily planner'],
    app_id: appId,
    ...storefront,
  });
  await within(10_000, async () => {
    const { data } = (await api('GET', '/keywords')).body;
    return data.every((row: { difficulty_score: unknown; traffic_score: unknown }) =>
      [row.difficulty_score, row.traffic_score].every((score) => typeof score === 'number'),
    );
  });
});

test('npm run scores explains in the running system what a keyword’s scores are made of', async () => {
  await start();
  const table = await scores([...explain, 'Habit  Tracker']);
  expect(table).toMatchObject({ code: 0, stderr: expect.stringMatching(/^using the Shelfwise that runs/) });
  expect(table.stdout).toMatch(/^"habit tracker" in ITUNES US en-US\ndifficulty \d+, traffic \d+, KEI /);
  const json = await scores([...explain, 'habit tracker', '--json']);
  const breakdown: ScoreBreakdown = JSON.parse(json.stdout);
  const sum = breakdown.difficulty_components.reduce(
    (total, { value, weight }) => total + 100 * weight * (value ?? 0),
    0,
  );
  const raw = breakdown.intermediate_values.find(({ name }) => name === 'raw')?.value;
  expect(sum).toBeCloseTo(raw ?? Number.NaN, 6);
});

test('without a running system it does so by itself, and what was measured stays', async () => {
  const first = await scores([...explain, 'habit tracker', '--json']);
  expect(first.stderr).toMatch(/no Shelfwise runs on .*; starting the services .*sample/);
  const again = await scores([...explain, 'habit tracker', '--json']);
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(first.stdout));
});

test('a scores command that fails or is misused prints nothing on stdout and does not end with 0', async () => {
  expect(await scores([...explain.slice(0, -1)])).toMatchObject({ code: 2, stdout: '' });
  const nowhere = await scores([...explain, 'camera'], { SCORING_ADDRESS: '127.0.0.1:1' });
  expect(nowhere).toMatchObject({ code: 1, stdout: '' });
  const mars = ['explain', '--store', 'ITUNES', '--country', 'XX', '--keyword', 'camera'];
  const unknown = await scores(mars);
  expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/country/) });
  expect((await scores(['--help'])).stdout).toContain('Usage');
});
