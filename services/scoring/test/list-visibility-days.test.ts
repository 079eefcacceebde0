import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { recordCommands } from '../../../testing/record-commands.ts';
import { toRanking } from '../src/stores/term.ts';
import {
  type Auditing,
  appIdOf,
  createAuditingHarness,
  fiveOf,
  textOfFive,
  trackedListing,
} from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();

let auditing: Auditing;
beforeEach(async () => {
  auditing = await startAuditing();
});

const snaps = fiveOf('snap');
const title = textOfFive('snap');
const [from, to] = ['2026-03-01', '2026-03-31'];

/** Listing 1 is first on its pages of 10 March, and on no page of 14 March. In between nothing is read. */
async function startWithGap() {
  await auditing.track(trackedListing(1, { title }));
  await auditing.measure(snaps, { traffic: 50 }, [appIdOf(1)]);
  await auditing.runDue();
  auditing.clock.moveTo(slotOf(1, '2026-03-11'));
  await auditing.runDue();
  auditing.clock.moveTo('2026-03-15T12:00:00Z');
  const read = { day: '2026-03-14', read_at: new Date('2026-03-14T06:00:00Z'), source: 'sample' };
  await auditing.savePageRanks(snaps, toRanking(read, []));
}

test('each app has the scores of its history, 0 among them; a day without one is left out', async () => {
  await startWithGap();
  const days = [
    { date: '2026-03-10', score: 100 },
    { date: '2026-03-11', score: 100 },
    { date: '2026-03-12', score: 100 },
    { date: '2026-03-14', score: 0 },
    { date: '2026-03-15', score: 0 },
  ];
  expect(await auditing.listDays([2, 1], from, to)).toEqual([
    { app_id: 2, days: [], reason: 'basket_too_small' },
    { app_id: 1, days, reason: null },
  ]);
  const history = await auditing.history(1, from, to);
  expect(history.flatMap(([date, score]) => (score === null ? [] : [{ date, score }]))).toEqual(days);
});

test('a last day that was not read says so, and ranks of before the window are carried into it', async () => {
  await startWithGap();
  expect(await auditing.listDays([1], '2026-03-12', '2026-03-13')).toEqual([
    { app_id: 1, days: [{ date: '2026-03-12', score: 100 }], reason: 'too_little_read' },
  ]);
});

test('two queries, whatever the number of apps; none without one', async () => {
  await startWithGap();
  const commands = recordCommands(auditing.connection);
  for (const apps of [[1], Array.from({ length: 50 }, (_, at) => at + 1)]) {
    expect(await auditing.listDays(apps, from, to)).toHaveLength(apps.length);
    expect(commands.splice(0).sort()).toEqual(['find baskets', 'find visibility_days']);
  }
  expect(await auditing.listDays([], from, to)).toEqual([]);
  expect(commands).toEqual([]);
});

test.each([
  ['more than 50 apps', Array.from({ length: 51 }, (_, at) => at + 1), from],
  ['an app twice', [1, 1], from],
  ['more than 31 days', [1], '2026-02-28'],
])('%s are refused', async (_, apps, first) => {
  await expect(auditing.listDays(apps, first, to)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});
