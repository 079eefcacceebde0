import { ApiError } from '../../parts/api.ts';
import { trackInJob } from './track-in-job.ts';

const running = { id: 7, done: 20, failed: 1, finished_at: null, results: [] };
const ended = { ...running, done: 209, failed: 1, finished_at: '2026-06-15T12:00:00.000Z' };
const tracked = (at: number) => ({
  keyword: `word ${at}`,
  tracked: { success: `Ranked ${at}.` },
  error: null,
});
const keywords = Array.from({ length: 210 }, (_, at) => `word ${at}`);

/** Answers each call in turn; a number is the status of a refusal. */
function answerWith(answers: (object | number)[]) {
  const calls: string[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (path, init) => {
    calls.push(`${init?.method} ${String(path).replace('/dashboard/api', '')}`);
    const answer = answers.shift() ?? 500;
    if (typeof answer === 'object') return Response.json({ data: answer });
    const headers = { 'retry-after': '3' };
    const code = answer === 429 ? 'RATE_LIMITED' : 'SERVICE_UNAVAILABLE';
    return Response.json({ code, error: 'Not now.' }, { status: answer, headers });
  });
  const waited: number[] = [];
  const done: number[] = [];
  const onMade = jest.fn();
  const run = () =>
    trackInJob(
      { id: '42' },
      keywords,
      { onMade, onDone: (count) => done.push(count) },
      async (seconds) => void waited.push(seconds),
    );
  return { calls, waited, done, onMade, run };
}

test('a job is looked at until it has ended, then its results are read in pages', async () => {
  const first = { ...ended, results: keywords.slice(0, 200).map((_, at) => tracked(at)) };
  const failed = { keyword: 'word 200', tracked: null, error: { message: 'Already tracked.' } };
  const canceled = { keyword: 'word 201', tracked: null, error: null };
  const second = { ...ended, results: [failed, canceled] };
  const { calls, waited, done, run } = answerWith([running, running, ended, first, second]);
  const outcomes = await run();
  expect(calls).toEqual([
    'POST /jobs',
    'GET /jobs/7?page=1&per_page=1',
    'GET /jobs/7?page=1&per_page=1',
    'GET /jobs/7?page=1&per_page=200',
    'GET /jobs/7?page=2&per_page=200',
  ]);
  expect([waited, done]).toEqual([
    [2, 2],
    [21, 210],
  ]);
  expect(outcomes).toHaveLength(201);
  expect(outcomes[0]).toEqual({ keyword: 'word 0', success: 'Ranked 0.' });
  expect(outcomes.at(-1)).toEqual({ keyword: 'word 200', error: 'Already tracked.' });
});

test('a look that comes too soon is repeated, and a job that is refused throws', async () => {
  const page = { ...ended, results: [] };
  const soon = answerWith([running, 429, ended, page, page]);
  expect(await soon.run()).toEqual([]);
  expect(soon.waited).toEqual([2, 3]);
  const refusal = new ApiError('Too many.', { code: 'PLAN_LIMIT', requestId: null, retryAfterSeconds: null });
  jest.spyOn(globalThis, 'fetch').mockRejectedValue(refusal);
  const onMade = jest.fn();
  const refused = trackInJob({ id: '42' }, keywords, { onMade, onDone: () => {} });
  await expect(refused).rejects.toBeInstanceOf(ApiError);
  // Its keywords stay in the box.
  expect(onMade).not.toHaveBeenCalled();
});

test('a look that fails is repeated, and the job is made once', async () => {
  const page = { ...ended, results: [tracked(1)] };
  const { calls, waited, onMade, run } = answerWith([running, 503, 503, ended, page, 503, page]);
  expect(await run()).toHaveLength(2);
  expect(waited).toEqual([2, 10, 10, 10]);
  expect(onMade).toHaveBeenCalledTimes(1);
  expect(calls.filter((call) => call.startsWith('POST'))).toHaveLength(1);
});

test('after ten failed looks in a row the keywords are not sent again', async () => {
  const { calls, onMade, run } = answerWith([running, ...Array.from({ length: 10 }, () => 503)]);
  await expect(run()).rejects.toBeInstanceOf(ApiError);
  expect(onMade).toHaveBeenCalledTimes(1);
  expect(calls).toHaveLength(11);
});
