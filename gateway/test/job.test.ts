import type { Job } from '@shelfwise/proto/jobs/v1/jobs';
import { InspectKeywordReply } from '@shelfwise/proto/scoring/v1/scoring';
import { TrackKeywordResult } from '@shelfwise/proto/tracking/v1/tracking';
import { answers, inspectReply, storefront } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const createdAt = new Date('2026-06-15T10:00:00Z');

const job = (changes: Partial<Job> = {}): Job => ({
  id: 3,
  state: 'RUNNING',
  target: { app_id: 42, storefront },
  total: 4,
  done: 1,
  failed: 1,
  eta: new Date('2026-06-15T12:30:00Z'),
  created_at: createdAt,
  finished_at: null,
  ...changes,
});

const shown = {
  id: 3,
  kind: 'track_keywords',
  state: 'running',
  app_id: 42,
  ...storefront,
  total: 4,
  done: 1,
  failed: 1,
  eta: '2026-06-15T12:30:00.000Z',
  created_at: '2026-06-15T10:00:00.000Z',
  finished_at: null,
};

const ended = (id: number) => job({ id, state: 'DONE', finished_at: createdAt });

beforeEach(() => {
  for (const service of [api.tracking, api.scoring]) service.answer({ listJobs: async () => ({ jobs: [] }) });
  api.tracking.answer({ createJob: async () => job() });
  api.scoring.answer({ createJob: async () => job({ id: 4, target: { storefront } }) });
});

const create = (body: object) => api.call('POST', '/api/v1/jobs', { body });
const track = { kind: 'track_keywords', app_id: 42, keywords: ['habit', 'Mood '] };
const inspect = { kind: 'inspect_keywords', ...storefront, keywords: ['Habit  Tracker'] };

test('a job that tracks is created in tracking, and the answer is 202', async () => {
  const { status, body } = await create(track);
  expect([status, body]).toEqual([202, { data: shown }]);
  expect(api.tracking.requests.at(-1)).toMatchObject({
    method: 'createJob',
    request: { account_id: api.accountId, target: { app_id: 42 }, texts: ['habit', 'Mood '], max_open: 5 },
  });
});

test('a job that inspects is created in scoring, with keywords in their normal form', async () => {
  const { status, body } = await create({ ...inspect, country: 'us', lang: 'EN-us' });
  expect([status, body.data]).toMatchObject([202, { id: 4, kind: 'inspect_keywords', app_id: null }]);
  expect(api.scoring.requests.at(-1)).toMatchObject({
    method: 'createJob',
    request: { target: { storefront }, texts: ['habit tracker'], max_open: 5 },
  });
});

test('open jobs of the other kind count toward the five', async () => {
  const jobs = [job({ id: 6 }), job({ id: 8, state: 'QUEUED' }), ended(10)];
  api.scoring.answer({ listJobs: async () => ({ jobs }) });
  await create(track);
  expect(api.tracking.requests.at(-1)?.request).toMatchObject({ max_open: 3 });
});

test('each kind has its own fields', async () => {
  const { app_id: _, ...withoutApp } = track;
  const problems = async (body: object) => {
    const answer = await create(body);
    return [refusalOf(answer), answer.body.details?.issues.fieldErrors];
  };
  expect(await problems(withoutApp)).toEqual([
    '400 INVALID_PARAMS',
    { app_id: ['is required for track_keywords'] },
  ]);
  expect(await problems({ ...inspect, app_id: 42 })).toEqual([
    '400 INVALID_PARAMS',
    { app_id: ['must be left out for inspect_keywords'] },
  ]);
  expect(await problems({ ...track, lang: 'en' })).toEqual([
    '400 INVALID_PARAMS',
    { lang: ['must be left out for track_keywords'] },
  ]);
  expect(await problems({ ...inspect, app_id: 'x' })).toEqual([
    '400 INVALID_PARAMS',
    { app_id: [expect.any(String)] },
  ]);
  const { store: __, ...withoutStore } = inspect;
  expect(await problems(withoutStore)).toEqual([
    '400 INVALID_PARAMS',
    { store: ['is required for inspect_keywords'] },
  ]);
});

test('a job has 1 to 1000 keywords', async () => {
  const keywords = Array.from({ length: 1001 }, (_, index) => `word ${index}`);
  expect(refusalOf(await create({ ...track, keywords }))).toBe('400 INVALID_PARAMS');
  expect(refusalOf(await create({ ...track, keywords: [] }))).toBe('400 INVALID_PARAMS');
  expect((await create({ ...track, keywords: keywords.slice(1) })).status).toBe(202);
});

const result = TrackKeywordResult.encode({
  keyword: 'habit',
  outcome: { $case: 'success', value: 'Evernote ranks 2nd of 51 results for “habit”.' },
  first_rank: { keyword_id: 7, rank: 2, depth: 51, rank_date: '2026-06-15' },
}).finish();

const failure = { code: 'DUPLICATE', message: 'This keyword is already tracked for this application.' };

function answerJob(changes: Partial<Job> = {}) {
  api.tracking.answer({
    getJob: async () => ({
      job: job(changes),
      items: [
        { position: 1, text: 'Habit', outcome: { $case: 'result', value: Buffer.from(result) } },
        { position: 2, text: 'mood', outcome: { $case: 'failure', value: failure } },
        { position: 3, text: 'sleep', outcome: null },
      ],
    }),
  });
}

test('a job shows each keyword with its result, its error, or neither', async () => {
  answerJob();
  const { body } = await api.call('GET', '/api/v1/jobs/3?page=1&per_page=3');
  const nothing = { error: null, tracked: null, inspection: null };
  const tracked = {
    keyword: 'habit',
    success: 'Evernote ranks 2nd of 51 results for “habit”.',
    keyword_id: 7,
    rank: 2,
    depth: 51,
    rank_date: '2026-06-15',
    stale: false,
  };
  expect(body.data).toEqual({
    ...shown,
    results: [
      { ...nothing, keyword: 'Habit', state: 'done', tracked },
      { ...nothing, keyword: 'mood', state: 'failed', error: failure },
      { ...nothing, keyword: 'sleep', state: 'waiting' },
    ],
  });
  expect(body.meta).toMatchObject({ total: 4, total_pages: 2, has_more: true });
  expect(api.tracking.requests.at(-1)?.request).toEqual({
    account_id: api.accountId,
    id: 3,
    page: 1,
    per_page: 3,
  });
});

test('what a canceled job has not begun is canceled', async () => {
  answerJob({ state: 'CANCELED', finished_at: createdAt, eta: null });
  const { data } = (await api.call('GET', '/api/v1/jobs/3')).body;
  expect(data).toMatchObject({ state: 'canceled', finished_at: '2026-06-15T10:00:00.000Z', eta: null });
  expect(data.results.map(({ state }: { state: string }) => state)).toEqual(['done', 'failed', 'canceled']);
});

test('an inspection is that of the single call, without the applications that track the keyword', async () => {
  const value = Buffer.from(InspectKeywordReply.encode(inspectReply).finish());
  const items = [{ position: 1, text: 'habit tracker', outcome: { $case: 'result', value } as const }];
  api.scoring.answer({ getJob: async () => ({ job: job({ id: 4, target: { storefront } }), items }) });
  const { data } = (await api.call('GET', '/api/v1/jobs/4')).body;
  const { is_tracked: _, user_tracking: __, ...inspection } = answers.inspect;
  expect(data.results).toEqual([
    { keyword: 'habit tracker', state: 'done', error: null, tracked: null, inspection },
  ]);
});

test('as CSV, a row is a keyword', async () => {
  answerJob();
  const { body } = await api.call('GET', '/api/v1/jobs/3', { headers: { accept: 'text/csv' } });
  const [header, ...rows] = body.trim().split('\r\n');
  expect(header).toMatch(/^keyword,state,error\.code,error\.message,tracked\.keyword,/);
  expect(rows).toHaveLength(3);
  expect(rows[1]).toMatch(/^mood,failed,DUPLICATE,/);
});

test('a job is canceled once', async () => {
  const canceled = { state: 'CANCELED' as const, finished_at: createdAt, eta: null };
  api.tracking.answer({ cancelJob: async () => ({ job: job(canceled), already_ended: false }) });
  const { status, body } = await api.call('DELETE', '/api/v1/jobs/3');
  expect([status, body.data]).toMatchObject([200, { id: 3, state: 'canceled', already_ended: false }]);
});

test('the id says which service has the job', async () => {
  api.tracking.fail('getJob', 'NOT_FOUND');
  api.scoring.fail('cancelJob', 'NOT_FOUND');
  expect(refusalOf(await api.call('GET', '/api/v1/jobs/1'))).toBe('404 NOT_FOUND');
  expect(refusalOf(await api.call('DELETE', '/api/v1/jobs/2'))).toBe('404 NOT_FOUND');
});
