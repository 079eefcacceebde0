import { callWithin } from '../../testing/call-within.ts';
import { createRunningClock } from '../../testing/running-clock.ts';
import { createApi } from '../../testing/system/api.ts';
import { letWindowsPass } from '../../testing/system/rate-windows.ts';
import { createSink } from '../../testing/system/run-command-here.ts';
import { startSampleSystem } from '../../testing/system/start-sample-system.ts';
import { until } from '../../testing/until.ts';
import { waitUntilIdle } from '../scripts/record-examples/wait-until-idle.ts';

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const keywords = ['habit tracker', 'daily planner', 'routine', 'habits', 'goal tracker', 'mood tracker'];
const more = ['to do list', 'planner', 'reminder', 'self care', 'daily routine', 'habit', 'streaks', 'goals'];
const firstDay = Date.parse('2026-06-01T09:30:00Z');
const dayMs = 86_400_000;
const days = 13;
/** The daily run is missing on these: the next one is compared with the last that was read. */
const missedDays = [4, 5];
/** On these it comes after the next one, which was compared with the day before: what comes late is compared with nothing. */
const lateDays = [8];
/** On these it comes twice. */
const repeatedDays = [10];

/** In the order in which the daily runs come. */
function daysOfRuns(): number[] {
  const inTime = Array.from({ length: days - 1 }, (_, index) => index + 1);
  return inTime.flatMap((day) => {
    if (missedDays.includes(day) || lateDays.includes(day)) return [];
    const before = lateDays.includes(day - 1) ? [day - 1] : [];
    return [day, ...(repeatedDays.includes(day) ? [day] : []), ...before];
  });
}

const dateOf = (day: number) => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);

type Change = { kind: string; keyword_id: number; day: string };

/** What the rules should find in a history of ranks, written without the service. */
function changesOf(keywordId: number, history: { date: string; rank: number | null }[]): Change[] {
  return history.flatMap(({ date, rank }, index) => {
    const last = history[index - 1];
    if (!last) return [];
    const [before, after] = [last.rank ?? 101, rank ?? 101];
    const kinds = [];
    const isLarge = Math.abs(before - after) > 1 && Math.abs(before - after) / Math.min(before, after) > 0.2;
    if (isLarge && Math.min(before, after) <= 50) kinds.push(after > before ? 'rank_drop' : 'rank_rise');
    if (before > 10 && after <= 10) kinds.push('entered_top');
    if (before <= 10 && after > 10) kinds.push('left_top');
    return kinds.map((kind) => ({ kind, keyword_id: keywordId, day: date }));
  });
}

test('over two weeks of the sample with daily runs that are missing, late or repeated, each change above its threshold is in the feed once, and nothing else; the channel of a rule gets its rows', async () => {
  const clock = createRunningClock(firstDay);
  const sent: { id: number; rule_id: number }[] = [];
  const post = async ({ body }: { body: string }) => {
    sent.push(...JSON.parse(body).events);
    return { status: 200, durationMs: 1, answer: '', isWhole: true };
  };
  const replaced = { ...clock, post, destination: createSink(() => {}) };
  const { system, stop } = await startSampleSystem('alerts', replaced);
  letWindowsPass(system.url, clock.moveBy);
  try {
    const { key } = await system.accounts.create({ email: 'alerts@example.com', plan: 'unlimited' });
    const call = createApi(system.url, key);
    const { body } = await call('POST', '/applications', { app_id: '9005997251', ...storefront });
    const appId = body.data.id;
    await call('POST', '/keywords', { app_id: appId, keywords: [...keywords, ...more], ...storefront });
    // The smallest changes, so that the sample has many.
    const { data: rules } = (await call('GET', '/alerts/rules')).body;
    const drop = rules.find(({ kind }: { kind: string }) => kind === 'rank_drop');
    const channel = { type: 'webhook', name: 'Team', url: 'https://hooks.example.com/x', timing: 'instant' };
    const { id: channelId } = (await call('POST', '/alerts/channels', channel)).body.data;
    await call('PATCH', `/alerts/rules/${drop.id}`, { threshold: 1, channels: [channelId] });
    for (const rule of [{ kind: 'rank_rise', threshold: 1 }, { kind: 'entered_top' }])
      expect((await call('POST', '/alerts/rules', rule)).status).toBe(200);

    const { tracking } = system.clients;
    clock.moveBy(days * dayMs);
    for (const read of daysOfRuns()) {
      let { run } = await tracking.startSnapshotRun({ all_of_today: false, day: dateOf(read) }, callWithin());
      await until(async () => {
        ({ run } = await tracking.getSnapshotRun({}, callWithin()));
        return run?.is_over ?? true;
      });
    }
    await waitUntilIdle(system, clock.moveBy);

    const expected: Change[] = [];
    for (const { keyword_id: id } of (await call('GET', `/keywords?app_id=${appId}`)).body.data) {
      const { data } = (await call('GET', `/keywords/${id}/ranks/history?from=${dateOf(0)}`)).body;
      expect(data.apps[0].history).toHaveLength(days - missedDays.length);
      const compared = data.apps[0].history.filter(
        ({ date }: { date: string }) => !lateDays.some((late) => dateOf(late) === date),
      );
      expected.push(...changesOf(id, compared));
    }
    const changesInFeed = async (): Promise<Change[]> => {
      const { data } = (await call('GET', '/alerts?since=0&per_page=200')).body;
      return data
        .filter(({ keyword_id: id }: { keyword_id: number | null }) => id !== null)
        .map((one: { kind: string; keyword_id: number; evidence: { days: { after: string } } }) => ({
          kind: one.kind,
          keyword_id: one.keyword_id,
          day: one.evidence.days.after,
        }));
    };
    await until(async () => (await changesInFeed()).length >= expected.length);
    const sorted = (changes: Change[]) => changes.map((one) => JSON.stringify(one)).sort();
    expect(sorted(await changesInFeed())).toEqual(sorted(expected));
    expect(expected.length).toBeGreaterThan(5);

    const { data: feed } = (await call('GET', '/alerts?since=0&per_page=200')).body;
    const ofDrop = feed.filter(({ rule_id: id }: { rule_id: number }) => id === drop.id);
    await until(() => sent.length >= ofDrop.length);
    expect(sent).toEqual(ofDrop);
  } finally {
    await stop();
  }
});
