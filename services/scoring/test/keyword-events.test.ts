import { topics } from '@shelfwise/proto/topics';
import { callWithin } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { keiOfScore } from '../src/domain/keyword/kei.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { createMeasuredTermStore } from '../src/stores/measured-term-store.ts';
import { saveScores } from '../src/terms/save-scores.ts';
import { fakeFoundApp } from './fake-store-fetch.ts';
import { createMeasuringHarness, today, us } from './start-measuring.ts';

const start = createMeasuringHarness();
const event = { id: 'event-1', requestId: 'request-2' };

function tracked(keyword: string, accountId = 'ann') {
  return {
    account_id: accountId,
    keyword_id: 7,
    app_id: 3,
    keyword,
    storefront: us,
    at: new Date('2026-03-10T09:00:00Z'),
    scored_at: null as Date | null,
  };
}

function snapshot(keyword: string, day: string, appIds: string[]) {
  return {
    keyword_id: 7,
    keyword,
    storefront: us,
    day,
    source: 'sample',
    app_ids: appIds,
    revision: 1,
    taken_at: new Date(`${day}T03:00:00Z`),
  };
}

describe('a tracked keyword', () => {
  test('is measured immediately, with the priority of a waiting user, and its scores are published', async () => {
    const { onTracked, wakeTracked, wake, runDue, store, events, termOf } = await start();
    await onTracked(tracked('notes'), event);
    expect(wakeTracked.mock.calls).toEqual([['ITUNES']]);
    expect(await runDue()).toEqual(['notes']);
    expect(store.requests.searchApps).toMatchObject([{ for_daily_run: false }]);
    const { score } = await termOf('notes');
    expect(await events()).toEqual([
      {
        storefront: us,
        keyword: 'notes',
        scoring_version: scoringVersion,
        source: 'sample',
        is_partial: false,
        difficulty: score?.difficulty,
        traffic: score?.traffic,
        kei: score && keiOfScore(score)?.score,
        kei_reason: (score && keiOfScore(score)?.reason) ?? null,
        scored_at: score?.scored_at,
        results_on: '2026-03-10',
      },
    ]);
    expect(wake).toHaveBeenCalled();
  });

  test('whose event arrives late is measured with the priority of the daily run', async () => {
    const { store, clock, onTracked, runDue } = await start();
    clock.advance(11 * 60_000);
    await onTracked(tracked('notes'), event);
    expect(await runDue()).toEqual(['notes']);
    expect(store.requests.searchApps).toMatchObject([{ for_daily_run: true }]);
  });

  test('with stored scores has them published without a store call', async () => {
    const { onTracked, measurer, runDue, store, events, terms } = await start();
    await measurer.measure(us, 'notes', today, callWithin());
    expect(await events()).toEqual([]);
    store.forgetCalls();
    await onTracked(tracked('notes'), event);
    expect(await events()).toMatchObject([{ keyword: 'notes', difficulty: expect.any(Number) }]);
    await runDue();
    expect(store.count()).toBe(0);
    const [document] = await terms.model.find({}).lean<{ outbox: Record<string, object> }[]>();
    expect(Object.values(document?.outbox ?? {})[0]).toMatchObject({
      key: 'ITUNES:US:en-US:notes',
      request_id: 'request-2',
    });
  });

  test('is measured once for two accounts or a repeated event', async () => {
    const { onTracked, runDue, store, terms } = await start();
    await Promise.all([onTracked(tracked('notes'), event), onTracked(tracked('notes', 'bob'), event)]);
    await onTracked(tracked('notes'), event);
    await runDue();
    await onTracked(tracked('notes'), event);
    await runDue();
    expect([await terms.model.countDocuments({}), store.count('searchApps')]).toEqual([1, 1]);
  });

  test('that another account tracks and that is measured today is only published, and only where it is not shown', async () => {
    const { onTracked, runDue, wakeTracked, store, termOf, events } = await start();
    await onTracked(tracked('notes'), event);
    await runDue();
    const { score } = await termOf('notes');
    const before = (await events()).length;
    store.forgetCalls();
    wakeTracked.mockClear();
    await onTracked({ ...tracked('notes', 'bob'), scored_at: score?.scored_at ?? null }, event);
    expect([await runDue(), wakeTracked.mock.calls, (await events()).length]).toEqual([[], [], before]);
    const older = new Date('2026-03-09T09:00:00Z');
    await onTracked({ ...tracked('notes', 'cy'), scored_at: older }, event);
    expect([await runDue(), store.count()]).toEqual([[], 0]);
    expect((await events()).at(-1)).toMatchObject({ keyword: 'notes', scored_at: score?.scored_at });
    expect(await events()).toHaveLength(before + 1);
  });

  test('is measured again by the next account on the next day', async () => {
    const { onTracked, runDue, clock } = await start();
    await onTracked(tracked('notes'), event);
    await runDue();
    clock.advance(86_400_000);
    await onTracked(tracked('notes', 'bob'), event);
    expect(await runDue()).toEqual(['notes']);
  });

  test('takes as many commands as twenty', async () => {
    const { connection, onManyTracked } = await start();
    const commands = recordCommands(connection);
    const commandsFor = async (words: readonly string[]) => {
      commands.length = 0;
      await onManyTracked(
        words.map((word, index) => ({ ...tracked(word), keyword_id: index })),
        words.map(() => event),
      );
      return [...commands];
    };
    const ofOne = await commandsFor(['one']);
    expect(ofOne).toEqual(['find terms', 'update terms', 'update tracked_terms']);
    expect(await commandsFor(Array.from({ length: 20 }, (_, index) => `word ${index}`))).toEqual(ofOne);
  });

  test('that is being measured for another caller is published too', async () => {
    const { onTracked, measurer, runDue, store, events } = await start();
    store.hooks.beforeAnswer = async (rpc) => {
      if (rpc === 'searchApps') await onTracked(tracked('notes'), event);
    };
    await measurer.measure(us, 'notes', today, callWithin());
    store.hooks.beforeAnswer = async () => {};
    await runDue();
    expect(await events()).toMatchObject([{ keyword: 'notes', difficulty: expect.any(Number) }]);
    expect(store.count('searchApps')).toBe(1);
  });

  test('is published with the day of its result page only when the page has results', async () => {
    const { onTracked, onSnapshot, measurer, runDue, clock, store, events } = await start();
    store.setPage('notes', []);
    await onTracked(tracked('notes'), event);
    await runDue();
    await onSnapshot(snapshot('notes', '2026-03-10', []));
    store.setPage('notes', [fakeFoundApp('a')]);
    clock.advance(3_600_000);
    await measurer.measure(us, 'notes', today, callWithin());
    const published = await events();
    expect(published.map(({ results_on: day = null }) => day)).toEqual([null, '2026-03-10']);
  });

  test('without a score is not published, so that tracking keeps the previous one', async () => {
    const { onTracked, store, trackedJobs, events } = await start();
    store.fail('searchApps');
    await onTracked(tracked('notes'), event);
    for (const job of await trackedJobs.ITUNES.claim(2, false))
      await expect(
        trackedJobs.ITUNES.run(job, { requestId: 'x', signal: new AbortController().signal }),
      ).rejects.toThrow();
    expect(store.count('searchApps')).toBe(1);
    expect(await events()).toEqual([]);
  });
});

describe('a snapshot of a tracked keyword', () => {
  test('saves the ranking and measures the keyword again on that day, from the page that store-fetch still caches', async () => {
    const { onTracked, onSnapshot, savePageRanks, runDue, clock, store, termOf, events } = await start();
    await onTracked(tracked('notes'), event);
    await runDue();
    clock.moveTo('2026-03-11T03:00:05Z');
    store.forgetCalls();
    await onSnapshot(snapshot('notes', '2026-03-11', ['b', 'a']));
    const ranking = {
      day: '2026-03-11',
      source: 'sample',
      app_ids: ['b', 'a'],
      packed_ids: '2\nb\na\n',
      read_at: new Date('2026-03-11T03:00:00Z'),
    };
    expect(savePageRanks.mock.calls).toEqual([[[{ storefront: us, keyword: 'notes', ranking }]]]);
    expect(await runDue()).toEqual(['notes']);
    expect(store.requests.searchApps).toMatchObject([{ limit: 100, for_daily_run: true }]);
    expect(await termOf('notes')).toMatchObject({ ranking, reading: { page: { day: '2026-03-11' } } });
    expect((await events()).map((event) => event.scored_at)).toContainEqual(clock.at);
    expect(await runDue()).toEqual([]);
  });

  test('of a day that is already measured triggers no measurement, even when it arrives twice', async () => {
    const { onTracked, onSnapshot, runDue, termOf } = await start();
    await onTracked(tracked('notes'), event);
    await runDue();
    await onSnapshot(snapshot('notes', '2026-03-10', ['b', 'a']));
    await onSnapshot(snapshot('notes', '2026-03-10', ['b', 'a']));
    expect(await runDue()).toEqual([]);
    expect((await termOf('notes')).ranking?.app_ids).toEqual(['b', 'a']);
  });

  test('with results replaces an empty one of its day, in whatever order they come, and is measured', async () => {
    const empty = snapshot('notes', '2026-03-10', []);
    const disproof = { ...snapshot('notes', '2026-03-10', ['b', 'a']), revision: 2 };
    for (const order of [
      [empty, disproof],
      [disproof, empty],
      [empty, disproof, empty],
      [disproof, disproof, empty],
    ]) {
      const { onTracked, onSnapshot, runDue, termOf, store, terms } = await start();
      store.setPage('notes', []);
      await onTracked(tracked('notes'), event);
      await runDue();
      expect((await termOf('notes')).reading.page?.size).toBe(0);
      store.setPage('notes', [fakeFoundApp('b'), fakeFoundApp('a')]);
      for (const taken of order) {
        await onSnapshot(taken);
        await runDue();
      }
      const { ranking, reading } = await termOf('notes');
      expect(ranking).toMatchObject({ app_ids: ['b', 'a'], revision: 2 });
      expect(reading.page?.size).toBe(2);
      await terms.model.deleteMany({});
    }
  });

  test('without results does not replace a page with results that was read here on that day', async () => {
    const { onTracked, onSnapshot, runDue, termOf } = await start();
    await onTracked(tracked('notes'), event);
    await runDue();
    const { ranking } = await termOf('notes');
    await onSnapshot(snapshot('notes', '2026-03-10', []));
    expect((await termOf('notes')).ranking).toEqual(ranking);
  });

  test('of an older day keeps the newer ranking and reads no store, but its ranks are saved', async () => {
    const { onSnapshot, savePageRanks, measurer, store, termOf, runDue } = await start();
    await measurer.measure(us, 'notes', today, callWithin());
    store.forgetCalls();
    const { ranking } = await termOf('notes');
    await onSnapshot(snapshot('notes', '2026-03-08', ['old']));
    expect((await termOf('notes')).ranking).toEqual(ranking);
    expect(savePageRanks.mock.calls).toMatchObject([
      [[{ storefront: us, keyword: 'notes', ranking: { day: '2026-03-08', app_ids: ['old'] } }]],
    ]);
    await runDue();
    expect(store.count()).toBe(0);
  });

  test('that arrives before the event of its tracking is enough to track the term', async () => {
    const { onTracked, onSnapshot, runDue, termOf, events } = await start();
    await onSnapshot(snapshot('notes', '2026-03-10', ['b', 'a']));
    expect(await termOf('notes')).toMatchObject({ is_tracked: true, ranking: { app_ids: ['b', 'a'] } });
    await onTracked(tracked('notes'), event);
    expect(await runDue()).toEqual(['notes']);
    expect((await termOf('notes')).ranking?.app_ids).toEqual(['b', 'a']);
    expect(await events()).toHaveLength(1);
  });

  test('of the same day replaces the ranking that was read here', async () => {
    const { onSnapshot, measurer, store, termOf } = await start();
    store.hooks.beforeAnswer = async (rpc) => {
      if (rpc === 'searchApps') await onSnapshot(snapshot('notes', '2026-03-10', ['b', 'a']));
    };
    const { term } = await measurer.measure(us, 'notes', today, callWithin());
    expect(term.reading.page?.size).toBe(10);
    expect((await termOf('notes')).ranking?.app_ids).toEqual(['b', 'a']);
  });

  test('that arrives while yesterday is being measured triggers one more measurement', async () => {
    const { onTracked, onSnapshot, runDue, clock, store, termOf } = await start();
    await onTracked(tracked('notes'), event);
    store.hooks.beforeAnswer = async (rpc) => {
      if (rpc !== 'searchApps' || store.count('searchApps') > 1) return;
      clock.moveTo('2026-03-11T00:00:05Z');
      await onSnapshot({
        ...snapshot('notes', '2026-03-11', ['b', 'a']),
        taken_at: new Date('2026-03-11T00:00:01Z'),
      });
    };
    store.origin.readAt = (rpc) =>
      rpc === 'searchApps' && store.count('searchApps') === 1
        ? new Date('2026-03-10T23:59:59Z')
        : clock.now();
    await runDue();
    expect((await termOf('notes')).reading.page?.day).toBe('2026-03-11');
    expect(store.count('searchApps')).toBe(2);
  });
});

test('scores that a copy with a late clock computes are published as newer than those before', async () => {
  const { terms, onTracked, runDue, termOf, events, clock } = await start();
  await onTracked(tracked('notes'), event);
  await runDue();
  const stored = await termOf('notes');
  const hourAgo = new Date(clock.at.getTime() - 3_600_000);
  const deps = { terms, measuredTerms: createMeasuredTermStore(terms), now: () => hourAgo, wake: () => {} };
  const found = { storefront: us, keyword: 'notes', stored };
  await saveScores(deps, found, { reading: stored.reading, ranking: null }, 'request-1');
  const times = (await events()).map(({ scored_at: scoredAt }) => scoredAt?.getTime());
  expect(times).toEqual([clock.at.getTime(), clock.at.getTime() + 1]);
});

test('events without a storefront or time are refused', async () => {
  const { onTracked, onSnapshot } = await start();
  await expect(onTracked({ ...tracked('notes'), storefront: null }, event)).rejects.toThrow(/store/);
  await expect(onSnapshot({ ...snapshot('notes', '2026-03-10', []), taken_at: null })).rejects.toThrow(
    'does not say',
  );
  expect(Object.keys(topics)).toContain('scoring.keyword-scored.v1');
});
