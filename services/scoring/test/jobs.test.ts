import type { RunJobBatchRequest } from '@shelfwise/proto/jobs/v1/jobs';
import { InspectKeywordReply } from '@shelfwise/proto/scoring/v1/scoring';
import type { Storefront } from '@shelfwise/proto/store/v1/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import { callWithin, codeOf } from '../../../testing/call-within.ts';
import { fakePlayApp } from './fake-store-fetch.ts';
import { us } from './start-drafts.ts';
import { createHarness } from './start-scoring.ts';

const { startScoring } = createHarness();

const play = { store: 'GPLAY', country: 'US', lang: 'en-US' } as const;
const playPage = (term: string) =>
  Array.from({ length: 10 }, (_, index) => fakePlayApp(`app.${term}.${index}`));

async function start() {
  const scoring = await startScoring({ hasBus: false });
  const { client } = scoring;
  const create = (texts: string[], accountId = 'ann', storefront: Storefront = us) =>
    client.createJob({ account_id: accountId, target: { storefront }, texts, max_open: 5 }, callWithin());
  const read = (id: number, accountId = 'ann') =>
    client.getJob({ account_id: accountId, id, page: 1, per_page: 200 }, callWithin());
  const take = async () => (await client.takeJobBatch({}, callWithin())).batch;
  /** Runs the next batch, each inspection counted as a use of the capped feature. Null: no job is due. */
  async function runNext(change: Partial<RunJobBatchRequest> = {}) {
    const batch = await take();
    if (!batch) return null;
    const { job_id, claim } = batch;
    const items = batch.items.map(({ position }) => ({ position, is_capped: true }));
    const call = { ...callWithin(), callerId: batch.account_id };
    return client.runJobBatch({ job_id, claim, items, refusal: null, ...change }, call);
  }
  return { ...scoring, create, read, take, runNext };
}

test('a job inspects its keywords, five in a batch, and saves each in the history', async () => {
  const { create, read, runNext, client, clock } = await start();
  const keywords = ['camera', 'photo editor', 'crop', 'filter', 'collage', 'sticker'];
  const job = await create(keywords);
  expect(job).toMatchObject({ state: 'QUEUED', total: 6, target: { storefront: us }, created_at: clock.at });
  expect(job.id % 2).toBe(0);
  expect(await runNext()).toEqual({ refunded_requests: 0, refunded_uses: 0 });
  expect((await read(job.id)).job).toMatchObject({ state: 'RUNNING', done: 5 });
  await runNext();
  const { job: done, items } = await read(job.id);
  expect(done).toMatchObject({ state: 'DONE', done: 6, failed: 0, finished_at: clock.at });
  const replies = items.map(({ outcome }) => InspectKeywordReply.decode(outcome?.value as Buffer));
  expect(replies.map(({ keyword }) => keyword)).toEqual(keywords);
  expect(replies[0]).toMatchObject({ is_saved: true, rank_date: '2026-03-10', result_count: 10 });
  const history = await client.listInspections({ account_id: 'ann', page: 1, per_page: 50 }, callWithin());
  expect(history.inspections.map(({ keyword_name }) => keyword_name).sort()).toEqual(keywords.sort());
  expect(await runNext()).toBeNull();
});

test('the store is read when no other caller waits for it', async () => {
  const { create, runNext, store } = await start();
  await create(['camera']);
  await runNext();
  const { searchApps, suggestTerms } = store.requests;
  const requests = [...searchApps, ...suggestTerms];
  expect(requests.length).toBeGreaterThan(1);
  expect(requests.filter((request) => !request.for_daily_run)).toEqual([]);
  // Of an account, so that the daily run goes first, too.
  expect(new Set(store.calls.map(({ call }) => call.callerId))).toEqual(new Set(['ann']));
});

test('a keyword that no store can search for fails, and its request and its use are refunded', async () => {
  const { create, read, runNext } = await start();
  const { id } = await create(['camera', 'x']);
  expect(await runNext()).toEqual({ refunded_requests: 1, refunded_uses: 1 });
  const { job, items } = await read(id);
  expect(job).toMatchObject({ state: 'DONE', done: 1, failed: 1 });
  expect(items[1]?.outcome).toMatchObject({ $case: 'failure', value: { code: 'INVALID_PARAMS' } });
});

test('while the store does not answer, keywords wait, and have cost nothing when the job is canceled', async () => {
  const { create, read, runNext, take, store, client, clock } = await start();
  store.fail('searchApps');
  const { id } = await create(['camera']);
  expect(await runNext()).toEqual({ refunded_requests: 1, refunded_uses: 1 });
  expect((await read(id)).job).toMatchObject({ state: 'RUNNING', done: 0, failed: 0, eta: null });
  expect(await take()).toBeNull();
  clock.advance(60_000);
  // The next attempt counts anew.
  expect((await take())?.items).toEqual([{ position: 1, text: 'camera', is_spent: false }]);
  await client.cancelJob({ account_id: 'ann', id }, callWithin());
});

test('an inspection that lacks a part of the store is made again, and then complete', async () => {
  const { create, read, runNext, store, clock } = await start();
  for (const word of ['camera', 'crop']) store.setPage(word, playPage(word));
  store.fail('getListings');
  const { id } = await create(['camera'], 'ann', play);
  expect(await runNext()).toEqual({ refunded_requests: 1, refunded_uses: 1 });
  expect((await read(id)).job).toMatchObject({ state: 'RUNNING', done: 0, failed: 0 });
  store.recover('getListings');
  clock.advance(60_000);
  expect(await runNext()).toEqual({ refunded_requests: 0, refunded_uses: 0 });
  const { job, items } = await read(id);
  expect(job).toMatchObject({ state: 'DONE', done: 1 });
  const reply = InspectKeywordReply.decode(items[0]?.outcome?.value as Buffer);
  expect(reply.difficulty_score).toEqual(expect.any(Number));

  // After three attempts it is as it is.
  store.fail('getListings');
  const { id: other } = await create(['crop'], 'ann', play);
  for (const minutes of [1, 2, 0]) {
    expect((await read(other)).job).toMatchObject({ done: 0 });
    await runNext();
    clock.advance(minutes * 60_000);
  }
  expect((await read(other)).job).toMatchObject({ state: 'DONE', done: 1, failed: 0 });
});

test('while a part of the store is away, a long job goes on each minute', async () => {
  const { create, read, runNext, store, clock } = await start();
  const keywords = Array.from({ length: 11 }, (_, index) => `camera ${index}`);
  for (const word of keywords) store.setPage(word, playPage(word.replace(' ', '')));
  store.fail('getListings');
  const { id } = await create(keywords, 'ann', play);
  // Three attempts at each, in batches of five.
  for (let minute = 0; minute < 4; minute++) {
    while (await runNext());
    clock.advance(60_000);
  }
  expect((await read(id)).job).toMatchObject({ state: 'DONE', done: 11, failed: 0 });
});

test('on Google Play the inspections of a batch follow one another, and one without time waits for the next batch', async () => {
  const { create, read, take, client, store } = await start();
  const keywords = ['camera', 'crop', 'filter'];
  for (const word of keywords) store.setPage(word, playPage(word));
  const { id } = await create(keywords, 'ann', play);
  const batch = await take();
  const items = (batch?.items ?? []).map(({ position }) => ({ position, is_capped: false }));
  const request = { job_id: id, claim: batch?.claim ?? '', items, refusal: null };
  // Less than an inspection may need, from the start.
  const call = { ...callWithin(19_000), callerId: 'ann' };
  expect(await client.runJobBatch(request, call)).toEqual({ refunded_requests: 2, refunded_uses: 0 });
  expect((await read(id)).job).toMatchObject({ state: 'RUNNING', done: 1, failed: 0 });
  expect(store.requests.searchApps.map(({ term }) => term)).toEqual(['camera']);
});

test('an attempt that fails unexpectedly is made again after a minute, and ten of them in more than a day fail', async () => {
  const { create, read, runNext, take, store, clock } = await start();
  store.hooks.beforeAnswer = async () => {
    throw new AppError('INTERNAL_ERROR', 'Something went wrong.');
  };
  const { id } = await create(['camera']);
  expect(await runNext()).toEqual({ refunded_requests: 1, refunded_uses: 1 });
  expect(await take()).toBeNull();
  clock.advance(60_000);
  const failing = store.hooks.beforeAnswer;
  store.hooks.beforeAnswer = async () => {};
  await runNext();
  expect((await read(id)).job).toMatchObject({ state: 'DONE', done: 1 });

  store.hooks.beforeAnswer = failing;
  const { id: other } = await create(['photo editor']);
  const refunds: unknown[] = [];
  for (let attempt = 0; attempt < 10; attempt++) {
    refunds.push(await runNext());
    clock.advance(3 * 60 * 60_000);
  }
  expect(refunds.at(-1)).toEqual({ refunded_requests: 1, refunded_uses: 1 });
  const { job, items } = await read(other);
  expect(job).toMatchObject({ state: 'DONE', failed: 1 });
  expect(items[0]?.outcome).toMatchObject({ $case: 'failure', value: { code: 'INTERNAL_ERROR' } });
});

test('a job needs a storefront that exists, and other accounts do not see it', async () => {
  const { create, read, client } = await start();
  const { id } = await create(['camera']);
  expect(await codeOf(read(id, 'bob'))).toBe('NOT_FOUND');
  const target = { storefront: { ...us, country: 'XX' } };
  const request = { account_id: 'ann', target, texts: ['camera'], max_open: 5 };
  expect(await codeOf(client.createJob(request, callWithin()))).toBe('INVALID_PARAMS');
  expect(await codeOf(client.createJob({ ...request, target: null }, callWithin()))).toBe('INVALID_PARAMS');
});
