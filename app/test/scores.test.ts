import type { ScoreBreakdown } from '@shelfwise/proto/scoring/v1/score_breakdown';
import type { Api } from '../../testing/system/api.ts';
import { until } from '../../testing/until.ts';
import { storefront, useSharedSystem, useSystems } from './use-systems.ts';

const { dataDir, api } = useSharedSystem();
const { scores } = useSystems();
/** The arguments of the scores command, up to the keyword. */
const explain = ['explain', '--store', 'ITUNES', '--country', 'us', '--keyword'];

/** Tracks an app that no other test tracks. */
async function trackApp(call: Api, appId: string): Promise<number> {
  const { body } = await call('POST', '/applications', { app_id: appId, ...storefront });
  return body.data.id;
}

test('a newly tracked app gets its audit by itself, and the list of apps shows it', async () => {
  const call = api();
  const id = await trackApp(call, '9005997251');
  await until(async () => {
    const { data } = (await call('GET', '/applications')).body;
    return data.find((row: { id: number }) => row.id === id).aso_health !== null;
  });
  const { body } = await call('GET', `/applications/${id}/aso-health?include_words=true`);
  const { report } = body.data;
  expect(report.axes.map(({ key }: { key: string }) => key)).toEqual(['coverage', 'targeting', 'appeal']);
});

test('newly tracked keywords get their scores by themselves', async () => {
  const call = api();
  const keywords = ['habit tracker', 'daily planner'];
  await call('POST', '/keywords', {
    keywords,
    app_id: await trackApp(call, '9008188700'),
    ...storefront,
  });
  await until(async () => {
    const { data } = (await call('GET', '/keywords')).body;
    expect(data).toHaveLength(keywords.length);
    return data.every((row: { difficulty_score: unknown; traffic_score: unknown }) =>
      [row.difficulty_score, row.traffic_score].every((score) => typeof score === 'number'),
    );
  });
});

test('the scores command explains the scores of a keyword in the running system, and the parts add up', async () => {
  const settings = { SHELFWISE_DATA_DIR: dataDir() };
  const table = await scores([...explain, 'Habit  Tracker'], settings);
  expect(table).toMatchObject({ code: 0, stderr: expect.stringMatching(/^using the Shelfwise that runs/) });
  expect(table.stdout).toMatch(/^"habit tracker" in ITUNES US en-US\ndifficulty \d+, traffic \d+, KEI /);
  const json = await scores([...explain, 'habit tracker', '--json'], settings);
  const breakdown: ScoreBreakdown = JSON.parse(json.stdout);
  const sum = breakdown.difficulty_components.reduce(
    (total, { value, weight }) => total + 100 * weight * (value ?? 0),
    0,
  );
  // The difficulty before it is capped and rounded.
  const raw = breakdown.intermediate_values.find(({ name }) => name === 'raw')?.value;
  expect(sum).toBeCloseTo(raw ?? Number.NaN, 6);
});

test('a failed scores command exits with 1, a misused one with 2, both without stdout; --help prints the usage', async () => {
  expect(await scores([...explain.slice(0, -1)])).toMatchObject({ code: 2, stdout: '' });
  const unreachable = await scores([...explain, 'camera'], { SCORING_ADDRESS: '127.0.0.1:1' });
  expect(unreachable).toMatchObject({ code: 1, stdout: '' });
  const nowhere = await scores([...explain, 'camera']);
  expect(nowhere).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/Start it with "npm start"/),
  });
  const unknownCountry = ['explain', '--store', 'ITUNES', '--country', 'XX', '--keyword', 'camera'];
  const refused = await scores(unknownCountry);
  expect(refused).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/--country: XX is not a country of the App Store\./),
  });
  expect((await scores(['--help'])).stdout).toContain('Usage');
});
