import { countries } from '@shelfwise/facts/stores/country';
import { appStoreStorefrontId } from '@shelfwise/facts/stores/storefront-ids';
import { callWithin } from '../../../testing/call-within.ts';
import { createGate } from '../../../testing/gate.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { until } from '../../../testing/until.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { importances } from '../src/domain/term-schedule.ts';
import type { MeasuringRequest } from '../src/stores/term.ts';
import { termId } from '../src/stores/term-filters.ts';
import { fakePlayApp } from './fake-store-fetch.ts';
import { createMeasuringHarness, jobCall, type Measuring, play, today, us, week } from './start-measuring.ts';

const start = createMeasuringHarness();

let measuring: Measuring;
beforeEach(async () => {
  measuring = await start();
});
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const tracked = (keyword: string) => ({
  scored_at: null,
  account_id: 'ann',
  keyword_id: 7,
  app_id: 3,
  keyword,
  storefront: us,
  at: new Date('2026-03-10T09:00:00Z'),
});
const event = { id: 'event-1', requestId: 'request-2' };

function requestFor(keyword: string, overrides: Partial<MeasuringRequest> = {}): MeasuringRequest {
  return { keyword, importance: importances.indexed, isDaily: false, ...overrides };
}

/** Requests terms for the next ten days; true when some were never requested before. */
function request(...requests: MeasuringRequest[]): Promise<boolean> {
  const { terms, clock } = measuring;
  return terms.requestMeasuring(us, requests, new Date(clock.at.getTime() + 10 * dayMs), clock.at);
}

/**
 * Claims one due job and runs it as a worker does. Returns its outcome, the message of its failure, or `nothing is
 * due`.
 */
async function readOne(which: 'ITUNES' | 'GPLAY' = 'ITUNES') {
  const { wordJobs } = measuring;
  const [job] = await wordJobs[which].claim(1, false);
  if (!job) return 'nothing is due';
  try {
    return await wordJobs[which].run(job, jobCall());
  } catch (error) {
    await wordJobs[which].fail(job, true);
    return (error as Error).message;
  }
}

const countWaiting = () =>
  measuring.dueTerms.countWaiting('ITUNES', importances.indexed, measuring.clock.at, 100);

describe('a term whose suggestions are not known', () => {
  const minuteMs = 60_000;
  /** Minutes until the term is due. */
  const minutesUntilDue = async () => {
    const { due_at: dueAt } = await measuring.termOf('notes');
    return dueAt && (dueAt.getTime() - measuring.clock.at.getTime()) / minuteMs;
  };

  test('is measured again after 2 and then every 4 minutes, and at once complete when the store recovers', async () => {
    const { store, clock, runDue, termOf } = measuring;
    store.suggestions.isBelieved = false;
    await request(requestFor('notes'));
    const waits: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await runDue()).toEqual(['notes']);
      const wait = await minutesUntilDue();
      waits.push(wait);
      clock.advance((wait ?? 0) * minuteMs);
    }
    expect(waits).toEqual([2, 4, 4, 4, 4]);
    store.suggestions.isBelieved = true;
    await runDue();
    expect(await termOf('notes')).toMatchObject({
      failures: 0,
      reading: { suggestion: { source: 'sample' } },
    });
  });

  test('is due within four minutes, however often users have measured it meanwhile', async () => {
    const { store, clock, measurer } = measuring;
    store.suggestions.isBelieved = false;
    for (let measured = 0; measured < 6; measured++) {
      await measurer.measure(us, 'notes', today, callWithin());
      expect(await minutesUntilDue()).toBeLessThanOrEqual(4);
      clock.advance(10_000);
    }
  });

  test('gets its second look ten minutes after the first, which is no failure', async () => {
    const { store, clock, runDue, termOf } = measuring;
    store.suggestions.mayThrottle = true;
    await request(requestFor('notes'));
    await runDue();
    expect([await minutesUntilDue(), (await termOf('notes')).failures]).toEqual([10, 0]);
    clock.advance(10 * minuteMs);
    await runDue();
    expect((await termOf('notes')).reading.suggestion?.match.kind).toBe('absent');
  });

  test('is measured again for a day after an inspection, although nobody requests it', async () => {
    const { store, clock, runDue, measurer, termOf } = measuring;
    store.suggestions.isBelieved = false;
    await measurer.measure(us, 'notes', today, callWithin());
    expect(await minutesUntilDue()).toBe(2);
    clock.advance(2 * minuteMs);
    expect(await runDue()).toEqual(['notes']);
    clock.advance(dayMs);
    expect(await runDue()).toEqual(['notes']);
    expect((await termOf('notes')).due_at).toBeUndefined();
    await measurer.measure(us, 'memo', today, callWithin());
    store.suggestions.isBelieved = true;
    clock.advance(2 * minuteMs);
    await runDue();
    expect((await termOf('memo')).reading.suggestion).not.toBeNull();
  });

  test('is not retried where the App Store has no autocomplete', async () => {
    const { store, measurer, terms, clock } = measuring;
    const country = [...countries.ITUNES].find((each) => appStoreStorefrontId(each) === null) ?? '';
    const storefront = { ...us, country };
    store.suggestions.isBelieved = false;
    const until = new Date(clock.at.getTime() + 10 * dayMs);
    await terms.requestMeasuring(storefront, [requestFor('notes')], until, clock.at);
    await measurer.measure(storefront, 'notes', week, callWithin());
    expect(await terms.find(storefront, 'notes')).toMatchObject({
      failures: 0,
      due_at: new Date(clock.at.getTime() + 7 * dayMs),
    });
  });
});

describe('due jobs', () => {
  test('tracked keywords go first, then indexed words, then words of a description; each kind oldest first', async () => {
    await request(requestFor('late description', { importance: importances.described }));
    await request(requestFor('first title'));
    measuring.clock.advance(1000);
    await request(requestFor('second title'));
    measuring.clock.advance(1000);
    await measuring.onTracked(tracked('tracked'), event);
    measuring.clock.advance(1000);
    expect(await measuring.runDue()).toEqual(['tracked', 'first title', 'second title', 'late description']);
    expect(await measuring.runDue()).toEqual([]);
  });

  test('words for which a first audit waits go with the tracked keywords, once, and as calls of users', async () => {
    const { store, clock, runDue, termOf } = measuring;
    await request(requestFor('word'));
    await request(requestFor('awaited', { isAwaited: true }), requestFor('word', { isAwaited: true }));
    expect(await termOf('word')).toMatchObject({ importance: importances.tracked });
    await request(requestFor('later'));
    expect(await runDue()).toEqual(expect.arrayContaining(['awaited', 'word', 'later']));
    const urgent = store.requests.searchApps.filter((sent) => !sent.for_daily_run).map(({ term }) => term);
    expect(urgent.toSorted()).toEqual(['awaited', 'word']);
    expect(await termOf('awaited')).toMatchObject({ importance: importances.indexed });
    // It is read: another listing that waits for it finds it.
    await request(requestFor('awaited', { isAwaited: true }));
    expect(await termOf('awaited')).toMatchObject({ importance: importances.indexed });
    await request(requestFor('late', { isAwaited: true }));
    clock.advance(11 * 60_000);
    await runDue();
    expect(store.requests.searchApps.at(-1)).toMatchObject({ term: 'late', for_daily_run: true });
  });

  test('a claim looks once for words of each importance, and again only where words that have failed fill its list', async () => {
    const { claim, clock, connection, terms } = measuring;
    await request(requestFor('first'), requestFor('second'), requestFor('good'));
    for (const [index, keyword] of ['first', 'second'].entries())
      await terms.model.updateOne(
        { keyword },
        { $set: { failures: 1, due_at: new Date(clock.at.getTime() - dayMs + index) } },
      );
    const commands = recordCommands(connection);
    expect((await claim('ITUNES')).map(({ keyword }) => keyword)).toEqual(['good', 'first']);
    const looks = ['find terms', 'find terms', 'find terms'];
    expect(commands.splice(0)).toEqual(['find terms', ...looks, 'update terms']);
    expect((await claim('ITUNES')).map(({ keyword }) => keyword)).toEqual(['second']);
    expect(commands.splice(0)).toEqual([...looks, 'update terms']);
    expect(await claim('ITUNES')).toEqual([]);
    expect(commands).toEqual(looks);
  });

  test('a word that is measured between two looks of a claim is claimed once', async () => {
    const { claim, clock, dueTerms, terms } = measuring;
    await request(requestFor('first'), requestFor('second'));
    for (const [index, keyword] of ['first', 'second'].entries())
      await terms.model.updateOne(
        { keyword },
        { $set: { failures: 1, due_at: new Date(clock.at.getTime() - dayMs + index) } },
      );
    const { listDue } = dueTerms.queue;
    jest.spyOn(dueTerms.queue, 'listDue').mockImplementation((async (scope, ...rest) => {
      if ('failures' in scope) await terms.model.updateOne({ keyword: 'first' }, { $set: { failures: 0 } });
      return listDue(scope, ...rest);
    }) as typeof listDue);
    expect((await claim('ITUNES')).map(({ keyword }) => keyword)).toEqual(['first', 'second']);
  });

  test('each kind has a worker of its own, even after a failure', async () => {
    const { store, clock, trackedJobs, wordJobs } = measuring;
    await request(requestFor('title'));
    await measuring.onTracked(tracked('tracked'), event);
    store.fail('searchApps');
    const claimed: string[][] = [];
    for (const failures of [0, 1]) {
      for (const { claim, run, fail } of [trackedJobs.ITUNES, wordJobs.ITUNES]) {
        const jobs = await claim(16, false);
        claimed.push(jobs.map(({ keyword }) => keyword));
        for (const job of jobs) {
          await expect(run(job, jobCall())).rejects.toThrow('The store blocks us');
          expect(job.failures).toBe(failures);
          await fail(job, true);
        }
      }
      clock.advance(60_000);
    }
    expect(claimed).toEqual([['tracked'], ['title'], ['tracked'], ['title']]);
  });

  test('a term is measured once, and again after a week while it is requested', async () => {
    const { clock, runDue, store, terms } = measuring;
    await request(requestFor('notes'));
    expect(await runDue()).toEqual(['notes']);
    clock.advance(7 * dayMs - 1);
    expect(await runDue()).toEqual([]);
    clock.advance(1);
    store.forgetCalls();
    expect(await runDue()).toEqual(['notes']);
    expect(store.count('searchApps')).toBe(1);
    clock.advance(7 * dayMs);
    await runDue();
    expect(store.count('searchApps')).toBe(1);
    expect(await terms.find(us, 'notes')).toMatchObject({ importance: importances.described });
  });

  test('a basket term is measured every UTC day, at a time of its own', async () => {
    const { clock, runDue, termOf } = measuring;
    await request(requestFor('notes', { isDaily: true }), requestFor('memo', { isDaily: true }));
    await runDue();
    const days: (string | undefined)[] = [];
    for (let passed = 0; passed < 3; passed++) {
      clock.moveTo(new Date(clock.at.getTime() + dayMs));
      clock.moveTo(`${clock.at.toISOString().slice(0, 10)}T23:00:00Z`);
      expect(await runDue()).toHaveLength(2);
      expect(await runDue()).toEqual([]);
      days.push((await termOf('notes')).reading.page?.day);
    }
    expect(days).toEqual(['2026-03-11', '2026-03-12', '2026-03-13']);
    const next = [await termOf('notes'), await termOf('memo')].map((term) => term.due_at);
    expect(next[0]).not.toEqual(next[1]);
    for (const moment of next) expect(moment?.toISOString()).toMatch(/^2026-03-14T/);
  });

  test('several copies on one database claim no term twice', async () => {
    const keywords = Array.from({ length: 30 }, (_, index) => `word ${index}`);
    await request(...keywords.map((keyword) => requestFor(keyword)));
    const other = measuring.startCopy();
    const [mine, theirs] = await Promise.all([measuring.runDue(), other.runDue()]);
    expect([...mine, ...theirs].sort()).toEqual([...keywords].sort());
    expect(measuring.store.count('searchApps')).toBe(30);
  });

  test('the job of a copy that died comes due again when its claim expires', async () => {
    await request(requestFor('notes'));
    expect(await measuring.claim('ITUNES')).toHaveLength(1);
    const other = measuring.startCopy();
    expect(await other.runDue()).toEqual([]);
    expect(await countWaiting()).toBe(1);
    measuring.clock.advance(60_000);
    expect(await other.runDue()).toEqual(['notes']);
  });

  test('a claim lasts longer than its measurement can take, even after waiting for a call slot', async () => {
    const { clock, store, claim, wordJobs, termOf } = measuring;
    await request(requestFor('notes'));
    const [job] = await claim('ITUNES');
    if (!job) throw new Error('it is due');
    clock.advance(50_000);
    const dueAt: (Date | undefined)[] = [];
    store.hooks.beforeAnswer = async () => {
      dueAt.push((await termOf('notes')).due_at);
    };
    const startedAt = clock.at.getTime();
    jest.spyOn(Date, 'now').mockReturnValue(startedAt);
    expect(await wordJobs.ITUNES.run(job, jobCall())).toBe('done');
    expect(dueAt[0]).toEqual(new Date(clock.at.getTime() + 60_000));
    for (const { call } of store.calls)
      expect(call.deadline.getTime()).toBeLessThanOrEqual(startedAt + 45_000);
  });

  test('due jobs and jobs being measured count as waiting', async () => {
    await request(requestFor('notes'), requestFor('memo'), requestFor('diary'));
    expect(await countWaiting()).toBe(3);
    const [job] = await measuring.claim('ITUNES', 1);
    expect(await countWaiting()).toBe(3);
    if (job) await measuring.wordJobs.ITUNES.run(job, jobCall());
    expect(await countWaiting()).toBe(2);
    measuring.clock.advance(7 * dayMs - 30_000);
    expect(await countWaiting()).toBe(2);
  });

  test('requeued jobs are due immediately, and are not read twice', async () => {
    await request(requestFor('notes'), requestFor('memo'));
    const jobs = await measuring.claim('ITUNES');
    await measuring.wordJobs.ITUNES.requeue(jobs);
    expect((await measuring.runDue()).sort()).toEqual(['memo', 'notes']);
  });

  test('a term that is no longer requested is not read', async () => {
    await request(requestFor('notes'));
    measuring.clock.advance(10 * dayMs);
    expect(await readOne()).toBe('skipped');
    expect(measuring.store.count()).toBe(0);
    expect(await readOne()).toBe('nothing is due');
  });

  test('a term that was measured meanwhile costs no call', async () => {
    await request(requestFor('notes'));
    const [job] = await measuring.claim('ITUNES');
    await measuring.measurer.measure(us, 'notes', week, callWithin());
    measuring.clock.advance(1000);
    measuring.store.forgetCalls();
    if (job) expect(await measuring.wordJobs.ITUNES.run(job, jobCall())).toBe('skipped');
    expect(measuring.store.count()).toBe(0);
    expect(await readOne()).toBe('nothing is due');
  });
});

test('a measurement that is given up at a stop does not count as a failure, and is due again immediately', async () => {
  const { store, wordJobs, termOf, notified, runDue } = measuring;
  await request(requestFor('notes'));
  const before = await termOf('notes');
  const stopping = new AbortController();
  store.hooks.beforeAnswer = async () => stopping.abort(new Error('the service is stopping'));
  const [job] = await measuring.claim('ITUNES');
  if (!job) throw new Error('it is due');
  const read = wordJobs.ITUNES.run(job, { ...jobCall(), signal: stopping.signal });
  await expect(read).rejects.toThrow('the service is stopping');
  await wordJobs.ITUNES.requeue([job]);
  expect([await termOf('notes'), notified]).toEqual([before, []]);
  store.hooks.beforeAnswer = async () => {};
  expect(await runDue()).toEqual(['notes']);
});

test('a term that is requested while it is measured waits for no claim to expire', async () => {
  const { store, measurer, wordJobs, termOf, clock, runDue } = measuring;
  const { opened, open } = createGate();
  store.hooks.beforeAnswer = () => opened;
  const measure = jest.spyOn(measurer, 'measure');
  const claimAndRun = async () => {
    const [job] = await measuring.claim('ITUNES');
    if (!job) throw new Error('it is due');
    return wordJobs.ITUNES.run(job, jobCall());
  };
  await request(requestFor('notes', { importance: importances.described }));
  const first = claimAndRun();
  await until(() => measure.mock.calls.length === 1);
  // It is due again and claimed again, and both claims share one measurement.
  await request(requestFor('notes'));
  const second = claimAndRun();
  await until(() => measure.mock.calls.length === 2);
  open();
  expect(await Promise.all([first, second])).toEqual(['done', 'done']);
  const { claimed_by: claim, due_at: dueAt } = await termOf('notes');
  expect([claim, dueAt]).toEqual([undefined, clock.at]);
  store.forgetCalls();
  expect(await runDue()).toEqual(['notes']);
  expect(store.count()).toBe(0);
  expect((await termOf('notes')).due_at?.getTime()).toBeGreaterThan(clock.at.getTime());
});

describe('failed jobs', () => {
  test('are due later after each failure, and after all jobs that have not failed', async () => {
    const { store, clock, termOf } = measuring;
    store.fail('searchApps');
    store.fail('suggestTerms');
    await request(requestFor('notes'));
    const delays: number[] = [];
    for (let tries = 0; tries < 4; tries++) {
      expect(await readOne()).toMatch('The store blocks us');
      const { due_at: dueAt = clock.at } = await termOf('notes');
      delays.push((dueAt.getTime() - clock.at.getTime()) / 60_000);
      clock.moveTo(dueAt);
    }
    expect(delays).toEqual([1, 2, 4, 8]);
    store.recover('searchApps');
    store.recover('suggestTerms');
    clock.advance(1000);
    await request(requestFor('memo'));
    expect(await measuring.runDue()).toEqual(['memo', 'notes']);
    expect((await termOf('notes')).failures).toBe(0);
  });

  test('do not count as failures while nothing can be read', async () => {
    await request(requestFor('notes'));
    const [job] = await measuring.wordJobs.ITUNES.claim(1, true);
    if (job) await measuring.wordJobs.ITUNES.fail(job, false);
    expect(await measuring.termOf('notes')).toMatchObject({
      failures: 0,
      due_at: new Date('2026-03-10T09:01:00Z'),
    });
  });

  test('are not taken for a trial, which takes the job that has been due longest', async () => {
    await request(requestFor('oldest', { importance: importances.described }));
    measuring.clock.advance(1000);
    await request(requestFor('title'));
    const [job] = await measuring.wordJobs.ITUNES.claim(1, true);
    expect(job?.keyword).toBe('oldest');
  });

  test('include those that used an older page', async () => {
    await request(requestFor('notes'));
    await measuring.runDue();
    measuring.clock.advance(8 * dayMs);
    measuring.store.fail('searchApps');
    expect(await readOne()).toBe('Result pages cannot be read.');
    expect(await measuring.termOf('notes')).toMatchObject({
      failures: 1,
      due_at: new Date(measuring.clock.at.getTime() + 60_000),
    });
  });

  test('are retried within minutes for Google Play details and for suggestions', async () => {
    const { store, clock, terms, termOf, runDue } = measuring;
    store.setPage('notes', [fakePlayApp('a'), fakePlayApp('b')]);
    store.setListing('b', 'STORE_FETCH_FAILED');
    const until = new Date(clock.at.getTime() + 10 * dayMs);
    await terms.requestMeasuring(play, [requestFor('notes')], until, clock.at);
    await runDue('GPLAY');
    expect((await termOf('notes', play)).due_at).toEqual(new Date('2026-03-10T09:01:00Z'));
    store.setListing('b', {});
    store.fail('suggestTerms');
    clock.advance(60_000);
    await request(requestFor('memo'));
    expect(await runDue('GPLAY')).toEqual(['notes']);
    expect((await termOf('notes', play)).score?.traffic).toEqual(expect.any(Number));
    await runDue();
    expect((await termOf('memo')).due_at).toEqual(new Date('2026-03-10T09:03:00Z'));
    store.recover('suggestTerms');
    clock.advance(2 * 60_000);
    await runDue();
    expect(await termOf('memo')).toMatchObject({ failures: 0, due_at: new Date('2026-03-17T09:01:00Z') });
  });
});

describe('a crash', () => {
  test('between the write and the notification is followed by the notification within a minute, without a call', async () => {
    const { dependent, store, clock, notified } = measuring;
    const killed = jest.spyOn(dependent, 'onMeasured').mockRejectedValue(new Error('killed'));
    await expect(measuring.measurer.measure(us, 'notes', week, callWithin())).rejects.toThrow('killed');
    killed.mockRestore();
    store.forgetCalls();
    expect(await measuring.runDue()).toEqual([]);
    clock.advance(60_000);
    expect(await measuring.runDue()).toEqual(['notes']);
    expect(notified.map(({ keyword }) => keyword)).toEqual(['notes']);
    expect(store.count()).toBe(0);
    clock.advance(dayMs);
    expect(await measuring.runDue()).toEqual([]);
  });

  test('in the worker is followed by it too, and the term is still due after a week', async () => {
    const { dependent, clock, notified, termOf } = measuring;
    const killed = jest.spyOn(dependent, 'onMeasured').mockRejectedValue(new Error('killed'));
    await request(requestFor('notes'));
    expect(await readOne()).toBe('killed');
    killed.mockRestore();
    clock.advance(60_000);
    expect(await measuring.runDue()).toEqual(['notes']);
    expect(notified).toHaveLength(1);
    expect((await termOf('notes')).due_at).toEqual(new Date('2026-03-17T09:00:00Z'));
  });

  test('is followed by it earlier when a caller measures the term', async () => {
    const { dependent, notified, store } = measuring;
    const killed = jest.spyOn(dependent, 'onMeasured').mockRejectedValue(new Error('killed'));
    await expect(measuring.measurer.measure(us, 'notes', today, callWithin())).rejects.toThrow('killed');
    killed.mockRestore();
    store.forgetCalls();
    await measuring.measurer.measure(us, 'notes', today, callWithin());
    expect([notified.length, store.count()]).toEqual([1, 0]);
  });
});

describe('requests', () => {
  test('that an audit repeats every day are written only every few days', async () => {
    const { clock, runDue, termOf } = measuring;
    await request(requestFor('notes'), requestFor('memo', { isDaily: true }));
    await runDue();
    const before = [await termOf('notes'), await termOf('memo')];
    clock.advance(2 * dayMs);
    expect(await request(requestFor('notes'), requestFor('memo', { isDaily: true }))).toBe(false);
    expect([await termOf('notes'), await termOf('memo')]).toEqual(before);
    clock.advance(dayMs);
    await request(requestFor('notes'), requestFor('memo', { isDaily: true }));
    const until = new Date('2026-03-23T09:00:00Z');
    expect(await termOf('notes')).toMatchObject({ requested_until: until });
    expect(await termOf('memo')).toMatchObject({ requested_until: until, daily_until: until });
  });

  test('make a term due sooner and more important, never later or less important', async () => {
    const { runDue, termOf, clock } = measuring;
    await request(requestFor('notes', { importance: importances.described }));
    await runDue();
    await request(requestFor('notes', { isDaily: true }));
    const { due_at: dueAt, importance } = await termOf('notes');
    expect(dueAt?.toISOString()).toMatch(/^2026-03-11T/);
    expect(importance).toBe(importances.indexed);
    clock.advance(8 * dayMs);
    await request(requestFor('notes', { importance: importances.described }));
    expect(await termOf('notes')).toMatchObject({ due_at: dueAt, importance: importances.indexed });
  });

  test('for a term that was measured for a caller are due a week after that', async () => {
    await measuring.measurer.measure(us, 'notes', today, callWithin());
    expect((await measuring.termOf('notes')).due_at).toBeUndefined();
    measuring.clock.advance(dayMs);
    await request(requestFor('notes'));
    expect((await measuring.termOf('notes')).due_at).toEqual(new Date('2026-03-17T09:00:00Z'));
  });

  test('for a term that is being measured keep their due date', async () => {
    const { store, measurer, termOf } = measuring;
    store.hooks.beforeAnswer = async (rpc) => {
      if (rpc === 'searchApps') await request(requestFor('notes', { isDaily: true }));
    };
    await measurer.measure(us, 'notes', today, callWithin());
    store.hooks.beforeAnswer = async () => {};
    expect((await termOf('notes')).due_at).toEqual(new Date('2026-03-10T09:00:00Z'));
    expect(await measuring.runDue()).toEqual(['notes']);
    expect((await termOf('notes')).due_at?.toISOString()).toMatch(/^2026-03-11T/);
    expect(store.count('searchApps')).toBe(1);
  });

  test('for six hundred terms, concurrent and with a duplicate, store each term once', async () => {
    const { terms, clock, startCopy } = measuring;
    const requests = Array.from({ length: 600 }, (_, index) => requestFor(`word ${index}`));
    const until = new Date(clock.at.getTime() + 10 * dayMs);
    const twice = [...requests, requestFor('word 5', { importance: importances.tracked, isDaily: true })];
    await Promise.all([
      terms.requestMeasuring(us, twice, until, clock.at),
      startCopy().terms.requestMeasuring(us, requests, until, clock.at),
    ]);
    expect(await terms.model.countDocuments({})).toBe(600);
    expect(await terms.model.countDocuments({ requested_until: until, due_at: { $lte: clock.at } })).toBe(
      600,
    );
    expect(await terms.find(us, 'word 5')).toMatchObject({ importance: 0, daily_until: until });
    const ids = [...requests, requestFor('unknown')].map(({ keyword }) => termId(us, keyword));
    expect(await terms.model.distinct('keyword', { _id: { $in: ids } })).toHaveLength(600);
    expect(await terms.findScores(us, ['word 5'])).toEqual(new Map());
  });
});

describe('scores of an earlier version', () => {
  test('are recomputed from the stored readings and published, and nothing else changes', async () => {
    const { terms, store, notified, termOf, recomputeScores, runDue, events, clock } = measuring;
    await request(requestFor('notes'));
    await measuring.onTracked(tracked('memo'), event);
    await runDue();
    const before = [await termOf('notes'), await termOf('memo')];
    await terms.model.updateMany(
      {},
      { $set: { 'score.scoring_version': scoringVersion - 1, 'score.traffic': 99 } },
    );
    store.forgetCalls();
    notified.length = 0;
    clock.advance(hourMs);
    await recomputeScores();
    const after = [await termOf('notes'), await termOf('memo')];
    for (const [index, term] of after.entries()) {
      const { score, reading, due_at: dueAt } = before[index] ?? term;
      expect(term).toMatchObject({ reading, score: { ...score, scored_at: clock.at } });
      expect(term.due_at).toEqual(dueAt);
    }
    expect(notified.map(({ keyword }) => keyword).sort()).toEqual(['memo', 'notes']);
    expect((await events()).at(-1)).toMatchObject({ keyword: 'memo', scored_at: clock.at });
    expect(store.count()).toBe(0);
    expect(await runDue()).toEqual([]);
  });

  test('are recomputed without a call when a caller needs them first', async () => {
    const { measurer, terms, store } = measuring;
    await measurer.measure(us, 'notes', today, callWithin());
    await terms.model.updateMany({}, { $set: { 'score.scoring_version': scoringVersion - 1 } });
    store.forgetCalls();
    const { term } = await measurer.measure(us, 'notes', today, callWithin());
    expect([term.score?.scoring_version, store.count()]).toEqual([scoringVersion, 0]);
  });
});
