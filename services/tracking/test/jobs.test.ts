import type { JobItem, RunJobBatchRequest } from '@shelfwise/proto/jobs/v1/jobs';
import { TrackKeywordResult } from '@shelfwise/proto/tracking/v1/tracking';
import { createBulkJobStore } from '@shelfwise/runtime/bulk/bulk-job-store';
import { AppError } from '@shelfwise/runtime/errors';
import { codeOf, countCodes } from '../../../testing/call-within.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { createHarness, listAll, type Tracking, trackApp, trackKeyword, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

const words = (count: number, name = 'word') =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);

async function start(options: Parameters<typeof startTracking>[0] = {}) {
  const tracking = await startTracking(options);
  const appId = await trackApp(tracking, 'ann');
  return { tracking, appId, ...tracking, ...helpersOf(tracking, appId) };
}

function helpersOf({ client }: Tracking, appId: number) {
  const create = (texts: string[], accountId = 'ann', maxOpen = 5) =>
    client.createJob({
      account_id: accountId,
      target: { app_id: appId, storefront: null },
      texts,
      max_open: maxOpen,
    });
  const read = (id: number, accountId = 'ann', page = { page: 1, per_page: 200 }) =>
    client.getJob({ account_id: accountId, id, ...page });
  const take = async () => (await client.takeJobBatch({})).batch;
  /** Takes the next batch and runs all of it. Returns its account; null: no job is due. */
  async function runNext(change: Partial<RunJobBatchRequest> = {}): Promise<string | null> {
    const batch = await take();
    if (!batch) return null;
    await client.runJobBatch({
      job_id: batch.job_id,
      claim: batch.claim,
      items: batch.items.map(({ position }) => ({ position, is_capped: false })),
      refusal: null,
      ...change,
    });
    return batch.account_id;
  }
  async function runAll(): Promise<void> {
    while (await runNext());
  }
  return { create, read, take, runNext, runAll };
}

/** `done`, the code of a failure, or `waiting`. */
function outcomeOf({ outcome }: JobItem): string {
  if (outcome === null) return 'waiting';
  return outcome.$case === 'failure' ? outcome.value.code : 'done';
}

/** What an attempt marks when it begins. */
const marksOf = (at: Date) => ({ began_at: at, spent_at: at });

const trackedBy = async ({ client }: Tracking, accountId = 'ann') =>
  (await client.listKeywords({ ...listAll, account_id: accountId })).keywords.length;

test('a job tracks its keywords in batches of 20, and shows how far it is', async () => {
  const { create, read, runNext, runAll, client, tracking, clock, appId, store } = await start();
  store.setPage('word 0', ['9', '1001']);
  const job = await create(words(45));
  expect(job).toMatchObject({
    state: 'QUEUED',
    target: { app_id: appId, storefront: us },
    total: 45,
    done: 0,
    failed: 0,
    eta: null,
    created_at: clock.at,
    finished_at: null,
  });
  expect(job.id % 2).toBe(1);

  clock.advance(10_000);
  const batch = await client.takeJobBatch({});
  const held = { job_id: job.id, claim: batch.batch?.claim ?? '', refusal: null };
  const items = (batch.batch?.items ?? []).map(({ position }) => ({ position, is_capped: false }));
  expect(items).toHaveLength(20);
  const open = store.holdSearches(({ term }) => term === 'word 19');
  const running = client.runJobBatch({ ...held, items });
  await until(() => store.searches.includes('word 19'));
  clock.advance(40_000);
  open();
  await running;
  const { job: after } = await read(job.id);
  // 20 keywords took 40 s, so 25 take 50.
  expect(after).toMatchObject({
    state: 'RUNNING',
    done: 20,
    failed: 0,
    eta: new Date(clock.at.getTime() + 50_000),
  });

  expect(await runNext()).toBe('ann');
  await runAll();
  const { job: done, items: results } = await read(job.id);
  expect(done).toMatchObject({ state: 'DONE', done: 45, failed: 0, eta: null, finished_at: clock.at });
  expect(results.map(outcomeOf)).toEqual(words(45).map(() => 'done'));
  expect(results.map(({ text }) => text)).toEqual(words(45));
  const [first] = results;
  const result = TrackKeywordResult.decode(first?.outcome?.value as Buffer);
  expect(result).toMatchObject({
    keyword: 'word 0',
    first_rank: { rank: 2, depth: 2, rank_date: '2026-03-10' },
  });
  expect(await trackedBy(tracking)).toBe(45);
});

test('results are read in pages', async () => {
  const { create, read, runAll } = await start();
  const { id } = await create(words(25));
  await runAll();
  const { items } = await read(id, 'ann', { page: 3, per_page: 10 });
  expect(items.map(({ position }) => position)).toEqual([21, 22, 23, 24, 25]);
  expect((await read(id, 'ann', { page: 4, per_page: 10 })).items).toEqual([]);
});

test('its store calls give way to callers that wait, and name their account; two are queued at once', async () => {
  const { create, runAll, store } = await start();
  const { search } = store.answers;
  const calls: unknown[] = [];
  let open = 0;
  let mostOpen = 0;
  store.answers.search = async (request, call) => {
    calls.push([request.for_daily_run, call.callerId]);
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    const answer = await search(request, call);
    open -= 1;
    return answer;
  };
  await create(words(6));
  await runAll();
  expect(calls).toEqual(words(6).map(() => [true, 'ann']));
  expect(mostOpen).toBe(2);
});

test('each keyword that cannot be tracked has its own code, and the others are tracked', async () => {
  const { create, read, runAll, tracking, appId } = await start();
  await trackKeyword(tracking, 'ann', appId, 'habit');
  const { id } = await create(['habit', 'x', 'mood']);
  await runAll();
  const { job, items } = await read(id);
  expect(items.map(outcomeOf)).toEqual(['DUPLICATE', 'INVALID_PARAMS', 'done']);
  expect(job).toMatchObject({ state: 'DONE', done: 1, failed: 2 });
});

test('a keyword that is sent again is left out, in whichever batch it would have been', async () => {
  const { create, read, runAll } = await start();
  const { id, total } = await create(['mood', ...words(24), 'Mood', 'WORD  3']);
  expect(total).toBe(25);
  await runAll();
  expect((await read(id)).job).toMatchObject({ state: 'DONE', done: 25, failed: 0 });
});

test('a keyword is as long as its normal form, and one that is too long fails alone', async () => {
  const { create, read, runAll } = await start();
  const { id } = await create([`habit${' '.repeat(2000)}tracker`, 'x'.repeat(3000), 'mood']);
  await runAll();
  expect((await read(id)).items.map(outcomeOf)).toEqual(['done', 'INVALID_PARAMS', 'done']);
});

test('the cap of the plan ends the rest of the job', async () => {
  const { create, read, runNext, tracking } = await start();
  const { id } = await create(words(45));
  for (let batch = 0; batch < 3; batch++) await runNext({ max_keywords: 22 });
  const { job, items } = await read(id);
  expect(job).toMatchObject({ state: 'DONE', done: 22, failed: 23 });
  expect(items.slice(22).map(outcomeOf)).toEqual(words(23).map(() => 'PLAN_LIMIT'));
  expect(await trackedBy(tracking)).toBe(22);
  expect(await runNext()).toBeNull();
});

test('a keyword that cannot be read leaves its place to the next ones', async () => {
  const { create, read, runNext, store, tracking, clock } = await start();
  const heal = store.failSearches((term) => term === 'word 0');
  const { id } = await create(words(5));
  await runNext({ max_keywords: 2 });
  expect((await read(id)).items.map(outcomeOf)).toEqual(['waiting', 'done', 'waiting', 'waiting', 'waiting']);
  heal();
  clock.advance(60_000);
  await runNext({ max_keywords: 2 });
  await runNext({ max_keywords: 2 });
  const { job, items } = await read(id);
  expect(items.map(outcomeOf).sort()).toEqual(['PLAN_LIMIT', 'PLAN_LIMIT', 'PLAN_LIMIT', 'done', 'done']);
  expect(job).toMatchObject({ state: 'DONE', done: 2, failed: 3 });
  expect(await trackedBy(tracking)).toBe(2);
});

test('a refusal of the gateway ends what it did not grant', async () => {
  const { create, read, take, client } = await start();
  const { id } = await create(words(30));
  const batch = await take();
  const refusal = { code: 'QUOTA_EXCEEDED', message: 'Spent.' };
  const items = [{ position: 1, is_capped: false }];
  await client.runJobBatch({ job_id: id, claim: batch?.claim ?? '', items, refusal });
  const { job, items: results } = await read(id);
  expect(job).toMatchObject({ state: 'DONE', done: 1, failed: 29 });
  expect(results[1]?.outcome).toEqual({ $case: 'failure', value: refusal });
});

test('a refusal leaves what an interrupted attempt has counted: it is attempted again', async () => {
  const { create, read, take, runNext, client, clock, connection } = await start();
  const { id } = await create(words(30));
  await take();
  await connection.collection('job_items').updateOne({ position: 1 }, { $set: marksOf(clock.at) });
  clock.advance(20_000);
  const batch = await take();
  const refusal = { code: 'QUOTA_EXCEEDED', message: 'Spent.' };
  await client.runJobBatch({ job_id: id, claim: batch?.claim ?? '', items: [], refusal });
  expect((await read(id)).job).toMatchObject({ state: 'RUNNING', done: 0, failed: 29 });
  clock.advance(60_000);
  expect((await take())?.items).toEqual([{ position: 1, text: 'word 0', is_spent: true }]);
  clock.advance(20_000);
  await runNext();
  expect((await read(id)).job).toMatchObject({ state: 'DONE', done: 1, failed: 29 });
});

test('a batch without a grant is given back: another gateway takes it at once', async () => {
  const { create, read, take, client, clock } = await start();
  const { id } = await create(words(3));
  const batch = await take();
  await client.runJobBatch({ job_id: id, claim: batch?.claim ?? '', items: [], refusal: null });
  expect((await take())?.items.map(({ is_spent }) => is_spent)).toEqual([false, false, false]);
  expect((await read(id)).job).toMatchObject({ state: 'QUEUED', done: 0, failed: 0, created_at: clock.at });
});

test('no batch begins while the disk is low', async () => {
  let isLow = false;
  const diskSpace = {
    isLow: () => isLow,
    refusal: () => new AppError('SERVICE_UNAVAILABLE', 'The disk is almost full.'),
    status: async () => ({ name: 'disk space', state: 'OK' as const, detail: '', is_embedded: true }),
    stop: async () => {},
  };
  const { create, client, clock, take } = await start({ diskSpace });
  const { id } = await create(words(1));
  isLow = true;
  expect(await client.takeJobBatch({})).toEqual({
    batch: null,
    next_at: new Date(clock.at.getTime() + 60_000),
  });
  isLow = false;
  expect((await take())?.job_id).toBe(id);
});

test('an application that is removed ends the job', async () => {
  const { create, read, runAll, client, appId } = await start();
  const { id } = await create(words(25));
  await client.untrackApplication({ account_id: 'ann', id: appId });
  await runAll();
  const { job, items } = await read(id);
  expect(job).toMatchObject({ state: 'DONE', failed: 25 });
  expect(new Set(items.map(outcomeOf))).toEqual(new Set(['APP_NOT_FOUND']));
});

test('a keyword that the store cannot show is tried again after a minute, then later, and fails after ten attempts and a day', async () => {
  const { create, read, runNext, store, clock } = await start();
  const heal = store.failSearches((term) => term === 'word 1');
  const { id } = await create(words(2));
  const createdAt = clock.at.getTime();
  expect(await runNext()).toBe('ann');
  expect((await read(id)).job).toMatchObject({ state: 'RUNNING', done: 1, failed: 0 });
  // The first batch moved, so the rest is due at once.
  expect(await runNext()).toBe('ann');
  expect(await runNext()).toBeNull();
  for (const minutes of [1, 2, 4, 8, 16, 30, 30, 30, 30]) {
    clock.advance(minutes * 60_000);
    expect(await runNext()).toBe('ann');
    expect(await runNext()).toBeNull();
  }
  // Eleven attempts in less than three hours: stores are away for longer.
  expect((await read(id)).items.map(outcomeOf)).toEqual(['done', 'waiting']);
  clock.moveTo(new Date(createdAt + 86_399_000));
  await runNext();
  expect((await read(id)).items.map(outcomeOf)).toEqual(['done', 'waiting']);
  clock.advance(30 * 60_000);
  await runNext();
  const { job, items } = await read(id);
  expect(items.map(outcomeOf)).toEqual(['done', 'STORE_FETCH_FAILED']);
  expect(job).toMatchObject({ state: 'DONE', done: 1, failed: 1 });
  heal();
});

test('a job survives a store that is away for five hours', async () => {
  const { create, read, runNext, runAll, store, clock } = await start();
  const heal = store.failSearches();
  const { id } = await create(words(3));
  for (let looks = 0; looks < 10; looks++) {
    await runNext();
    clock.advance(30 * 60_000);
  }
  heal();
  await runAll();
  expect((await read(id)).job).toMatchObject({ state: 'DONE', done: 3, failed: 0 });
});

test('what was tried before is tried again after a minute, also when another keyword has just succeeded', async () => {
  const { create, read, runNext, store, clock } = await start();
  const heal = store.failSearches((term) => term !== 'word 0');
  const { id } = await create(words(3));
  expect(await runNext()).toBe('ann');
  heal();
  store.failSearches((term) => term === 'word 2');
  expect(await runNext()).toBe('ann');
  expect((await read(id)).items.map(outcomeOf)).toEqual(['done', 'done', 'waiting']);
  expect(await runNext()).toBeNull();
  clock.advance(60_000);
  expect(await runNext()).toBe('ann');
});

test('a page without results is looked at again, and is a result when a later look proves it', async () => {
  const { create, read, runNext, store, clock } = await start();
  const { search } = store.answers;
  const createdAt = clock.at.getTime();
  store.setPage('word 0', []);
  store.answers.search = async (request, call) => {
    if (clock.at.getTime() < createdAt + 600_000)
      throw new AppError('STORE_FETCH_FAILED', 'Try again in ten minutes.', { isUnproven: true });
    return search(request, call);
  };
  const { id } = await create(words(1));
  for (let minute = 0; minute < 20; minute++) {
    await runNext();
    clock.advance(60_000);
  }
  const { job, items } = await read(id);
  expect(job).toMatchObject({ state: 'DONE', done: 1, failed: 0 });
  const result = TrackKeywordResult.decode(items[0]?.outcome?.value as Buffer);
  expect(result.first_rank).toMatchObject({ depth: 0 });
});

test('what an interrupted attempt has tracked is found, and not tracked twice', async () => {
  const { create, read, take, runAll, tracking, connection, clock, appId, store } = await start();
  const { id } = await create(['one', 'two', 'three']);
  await take();
  // As a copy that dies after its rows are written, and before it notes that.
  await connection.collection('job_items').updateMany({}, { $set: marksOf(clock.at) });
  await trackKeyword(tracking, 'ann', appId, 'one');
  await trackKeyword(tracking, 'ann', appId, 'two');
  store.searches.length = 0;
  expect(await take()).toBeNull();
  clock.advance(20_000);
  await runAll();
  const { job, items } = await read(id);
  expect(items.map(outcomeOf)).toEqual(['done', 'done', 'done']);
  expect(job).toMatchObject({ state: 'DONE', done: 3, failed: 0 });
  expect(store.searches).toEqual(['three']);
  expect(await trackedBy(tracking)).toBe(3);
});

test('what was tracked before the job is no result of an interrupted attempt', async () => {
  const { create, read, take, runAll, tracking, connection, clock, appId } = await start();
  await trackKeyword(tracking, 'ann', appId, 'one');
  clock.advance(1000);
  const { id } = await create(['one']);
  await take();
  await connection.collection('job_items').updateMany({}, { $set: marksOf(clock.at) });
  clock.advance(20_000);
  await runAll();
  expect((await read(id)).items.map(outcomeOf)).toEqual(['DUPLICATE']);
});

test('the batch of a copy that died is run by another copy, which is told what is counted; a late end changes nothing', async () => {
  const { create, client, tracking, database, clock, appId, store } = await start();
  const { id } = await create(words(3));
  const open = store.holdSearches();
  const first = (await client.takeJobBatch({})).batch;
  const items = (first?.items ?? []).map(({ position }) => ({ position, is_capped: false }));
  const dying = client.runJobBatch({ job_id: id, claim: first?.claim ?? '', items, refusal: null });
  await until(() => store.searches.length > 0);

  // The clock of the first copy stands still: it renews nothing.
  const later = createManualClock(clock.at.toISOString());
  const other = await startTracking({ database, clock: later });
  const { take, read } = helpersOf(other, appId);
  expect(await take()).toBeNull();
  later.advance(20_000);
  const second = await take();
  expect(second?.items).toEqual(
    words(3).map((text, index) => ({ position: index + 1, text, is_spent: true })),
  );
  await other.client.runJobBatch({ job_id: id, claim: second?.claim ?? '', items, refusal: null });
  expect((await read(id)).job).toMatchObject({ state: 'DONE', done: 3, failed: 0 });

  open();
  expect(await dying).toEqual({ refunded_requests: 0, refunded_uses: 0 });
  expect((await read(id)).job).toMatchObject({ state: 'DONE', done: 3, failed: 0 });
  expect(await trackedBy(tracking)).toBe(3);
});

test('a batch that runs for long keeps its claim', async () => {
  const { create, read, take, client, clock, store, connection } = await start();
  const { id } = await create(words(1));
  const open = store.holdSearches();
  const batch = await take();
  const claims = connection.collection<{ _id: number; due_at: Date }>('jobs');
  const claimedTo = async () => Number((await claims.findOne({ _id: id }))?.due_at);
  const items = [{ position: 1, is_capped: false }];
  const running = client.runJobBatch({ job_id: id, claim: batch?.claim ?? '', items, refusal: null });
  await until(() => store.searches.length > 0);
  for (let second = 0; second < 30; second += 5) {
    const before = await claimedTo();
    clock.advance(5000);
    await until(async () => (await claimedTo()) > before);
  }
  expect(await take()).toBeNull();
  open();
  await running;
  expect((await read(id)).job).toMatchObject({ state: 'DONE', done: 1 });
});

test('a batch whose claim is lost is not run', async () => {
  const { create, take, client, clock, store } = await start();
  const { id } = await create(words(1));
  const first = await take();
  clock.advance(20_000);
  await take();
  store.searches.length = 0;
  const items = [{ position: 1, is_capped: false }];
  const late = client.runJobBatch({ job_id: id, claim: first?.claim ?? '', items, refusal: null });
  expect(await codeOf(late)).toBe('NOT_FOUND');
  expect(store.searches).toEqual([]);
});

test('accounts take turns, however many jobs one of them has', async () => {
  const { create, runNext, tracking, clock } = await start();
  await trackApp(tracking, 'bob');
  for (const name of ['a', 'b', 'c']) await create(words(45, name));
  clock.advance(1);
  await create(words(45, 'd'), 'bob');
  const turns: (string | null)[] = [];
  for (let turn = 0; turn < 6; turn++) {
    clock.advance(1);
    turns.push(await runNext());
  }
  expect(turns).toEqual(['ann', 'bob', 'ann', 'bob', 'ann', 'bob']);
});

test('a canceled job keeps what it has, and runs no more; another account cannot cancel it', async () => {
  const { create, read, runNext, client, clock } = await start();
  const { id } = await create(words(45));
  await runNext();
  expect(await codeOf(client.cancelJob({ account_id: 'bob', id }))).toBe('NOT_FOUND');
  const canceled = await client.cancelJob({ account_id: 'ann', id });
  expect(canceled).toMatchObject({
    already_ended: false,
    job: { state: 'CANCELED', done: 20, finished_at: clock.at, eta: null },
  });
  expect(await client.cancelJob({ account_id: 'ann', id })).toMatchObject({ already_ended: true });
  expect(await runNext()).toBeNull();
  expect((await read(id)).items.filter((item) => outcomeOf(item) === 'waiting')).toHaveLength(25);
});

test('a batch that runs when its job is canceled still ends', async () => {
  const { create, read, client, store, tracking } = await start();
  const { id } = await create(words(30));
  const open = store.holdSearches();
  const { batch } = await client.takeJobBatch({});
  const items = (batch?.items ?? []).map(({ position }) => ({ position, is_capped: false }));
  const running = client.runJobBatch({ job_id: id, claim: batch?.claim ?? '', items, refusal: null });
  await until(() => store.searches.length > 0);
  await client.cancelJob({ account_id: 'ann', id });
  open();
  await running;
  expect((await read(id)).job).toMatchObject({ state: 'CANCELED', done: 20, failed: 0 });
  expect(await trackedBy(tracking)).toBe(20);
});

test('an account has five open jobs at most, also when all are created at once', async () => {
  const { create, runAll, client } = await start();
  const codes = await countCodes(Array.from({ length: 8 }, () => create(words(1))));
  expect(codes.OK).toBe(5);
  expect(await codeOf(create(words(1)))).toBe('PLAN_LIMIT');
  await runAll();
  expect(await codeOf(create(words(1)))).toBe('OK');
  // The gateway leaves less room while the account has jobs elsewhere.
  expect(await codeOf(create(words(1), 'ann', 1))).toBe('PLAN_LIMIT');
  expect(await codeOf(create(words(1), 'ann', 0))).toBe('PLAN_LIMIT');
  expect((await client.listJobs({ account_id: 'ann' })).jobs).toHaveLength(6);
});

test('the last 20 jobs that ended are kept, newest first', async () => {
  const { create, runAll, client, rows, clock } = await start();
  const ids: number[] = [];
  for (let count = 0; count < 23; count++) {
    ids.push((await create(words(1))).id);
    await runAll();
    // Within the 20 of an hour.
    clock.advance(4 * 60_000);
  }
  const { jobs } = await client.listJobs({ account_id: 'ann' });
  expect(jobs.map(({ id }) => id)).toEqual(ids.slice(2).reverse());
  expect(await rows('job_items')).toHaveLength(21);
});

test('a deletion of old jobs that was interrupted is completed by the next one', async () => {
  const { create, runAll, connection, database, rows, clock } = await start();
  for (let count = 0; count < 21; count++) {
    await create(words(1));
    await runAll();
    clock.advance(4 * 60_000);
  }
  const store = createBulkJobStore(connection.useDb(database));
  const countRows = async () => [(await rows('jobs')).length, (await rows('job_items')).length];
  await store.deleteOld('ann', AbortSignal.abort());
  expect(await countRows()).toEqual([21, 21]);
  await store.deleteOld('ann', new AbortController().signal);
  expect(await countRows()).toEqual([20, 20]);
});

test('an account creates 20 jobs of a kind in an hour', async () => {
  const { create, client, clock } = await start();
  const createAndCancel = async () => {
    const { id } = await create(words(1));
    await client.cancelJob({ account_id: 'ann', id });
  };
  for (let count = 0; count < 20; count++) {
    await createAndCancel();
    if (count === 0) clock.advance(60_000);
  }
  expect(await codeOf(createAndCancel())).toBe('PLAN_LIMIT');
  clock.advance(59 * 60_000 - 1);
  expect(await codeOf(createAndCancel())).toBe('PLAN_LIMIT');
  clock.advance(1);
  expect(await codeOf(createAndCancel())).toBe('OK');
});

test('an account without a batch that runs goes first', async () => {
  const { create, take, tracking, clock } = await start();
  await trackApp(tracking, 'bob');
  for (const name of ['a', 'b']) await create(words(2, name));
  clock.advance(1);
  await create(words(2, 'c'), 'bob');
  expect((await take())?.account_id).toBe('ann');
  expect((await take())?.account_id).toBe('bob');
  expect((await take())?.account_id).toBe('ann');
});

test('jobs of other accounts are not found, and a job is for an application of the account', async () => {
  const { create, read, client } = await start();
  const { id } = await create(words(1));
  expect(await codeOf(read(id, 'bob'))).toBe('NOT_FOUND');
  expect((await client.listJobs({ account_id: 'bob' })).jobs).toEqual([]);
  expect(await codeOf(create(words(1), 'bob'))).toBe('APP_NOT_FOUND');
});

test('a request outside its bounds is refused', async () => {
  const { create, client } = await start();
  expect(await codeOf(create([]))).toBe('INVALID_PARAMS');
  expect(await codeOf(create(words(1001)))).toBe('INVALID_PARAMS');
  expect(await codeOf(create(['']))).toBe('INVALID_PARAMS');
  const long = words(66, 'x'.repeat(7990));
  expect(await codeOf(create(long))).toBe('INVALID_PARAMS');
  expect(await codeOf(create(long.slice(1)))).toBe('OK');
  expect(await codeOf(create(words(1), 'ann', 6))).toBe('INVALID_PARAMS');
  expect(
    await codeOf(client.createJob({ account_id: 'ann', target: null, texts: ['one'], max_open: 5 })),
  ).toBe('INVALID_PARAMS');
  expect(await codeOf(client.getJob({ account_id: 'ann', id: 1, page: 1, per_page: 201 }))).toBe(
    'INVALID_PARAMS',
  );
});

test('the longest job is created and read', async () => {
  const { create, read } = await start();
  const { id, total } = await create(words(1000));
  expect(total).toBe(1000);
  const { items } = await read(id, 'ann', { page: 5, per_page: 200 });
  expect(items.map(({ position }) => position).at(-1)).toBe(1000);
});
