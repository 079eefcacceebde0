import { callWithin } from '../../testing/call-within.ts';
import { createApi } from '../../testing/system/api.ts';
import { letWindowsPass } from '../../testing/system/rate-windows.ts';
import { createSink } from '../../testing/system/run-command-here.ts';
import { startSampleSystem } from '../../testing/system/start-sample-system.ts';
import { monotonicMs } from '../../testing/system-clock.ts';
import { until } from '../../testing/until.ts';

const storeId = '9005997251';
const firstDay = Date.parse('2026-06-01T09:30:00Z');
const dayMs = 86_400_000;
const days = 21;
/** Days on which the chart is not read. */
const missedDays = [4, 5, 12];
const dateOf = (day: number) => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);

type Reading = { day: number; rank: number | null; places: number };
type FeedRow = { kind: string; evidence: { days: { before: string; after: string } } };

test('over three weeks of the sample, an app that crosses the depth of a rule in its chart gives an alert, and nothing else does', async () => {
  let day = 0;
  const startedMs = monotonicMs();
  const now = () => new Date(firstDay + day * dayMs + monotonicMs() - startedMs);
  let passedMs = 0;
  const { system, stop } = await startSampleSystem('charts', {
    now,
    monotonicMs: () => monotonicMs() + passedMs,
    destination: createSink(() => {}),
  });
  letWindowsPass(system.url, (ms) => {
    passedMs += ms;
  });
  try {
    const { id, key } = await system.accounts.create({ email: 'charts@example.com', plan: 'unlimited' });
    const call = createApi(system.url, key);
    const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
    const { body } = await call('POST', '/applications', { app_id: storeId, ...storefront });
    const tracked = { account_id: id, id: body.data.id };
    const { listing } = await system.clients.tracking.getTrackedListing(tracked, callWithin());
    const { genre_key: category = '', price } = listing?.listing ?? {};
    const collection = price === 0 ? 'free' : 'paid';
    const query = `store=ITUNES&country=US&category=${category}&collection=${collection}&limit=200`;

    const readings: Reading[] = [];
    /** Its events arrive in the order of the days. */
    async function readChart(): Promise<Reading> {
      const { rows } = (await call('GET', `/top-charts?${query}`)).body.data;
      const rank = rows.find(({ app_id: appId }: { app_id: string }) => appId === storeId)?.rank ?? null;
      const reading = { day, rank, places: rows.length };
      readings.push(reading);
      return reading;
    }
    const { rank } = await readChart();
    // The app moves across the place above it.
    const depth = (rank ?? 50) - 1;
    for (const kind of ['chart_entered', 'chart_left'])
      expect((await call('POST', '/alerts/rules', { kind, threshold: depth })).status).toBe(200);
    for (day = 1; day <= days; day += 1) if (!missedDays.includes(day)) await readChart();
    day = days;

    const expected = readings.flatMap((after, index) => {
      const before = readings[index - 1];
      if (!before) return [];
      const shown = Math.min(depth, before.places, after.places);
      const [was, is] = [before, after].map((one) => one.rank !== null && one.rank <= shown);
      if (was === is) return [];
      return [`${is ? 'chart_entered' : 'chart_left'} ${dateOf(before.day)} ${dateOf(after.day)}`];
    });
    const feed = async (): Promise<string[]> =>
      (await call('GET', '/alerts?since=0&per_page=200')).body.data
        .filter(({ kind }: FeedRow) => kind.startsWith('chart_'))
        .map((one: FeedRow) => `${one.kind} ${one.evidence.days.before} ${one.evidence.days.after}`);
    await until(async () => (await system.buses.admin.readLag()).every(({ lag }) => lag === 0));
    expect(await feed()).toEqual(expected);
    expect(expected.length).toBeGreaterThan(1);
  } finally {
    await stop();
  }
});
