import { callCancel, readOpenJobs } from './read-open-jobs.ts';

const job = (id: number, end: string | null = null) => ({
  id,
  app_id: 42,
  total: 1000,
  done: 12,
  failed: 1,
  eta: null,
  finished_at: end,
});

function answerWith(data: object) {
  const calls: string[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (path, init) => {
    calls.push(`${init?.method} ${String(path).replace('/dashboard/api', '')}`);
    return Response.json({ data });
  });
  return calls;
}

test('jobs that have ended are left out, and one call reads all that an account can have', async () => {
  const calls = answerWith([job(9), job(8, '2026-06-15T12:00:00.000Z'), job(6)]);
  expect((await readOpenJobs()).map(({ id }) => id)).toEqual([9, 6]);
  expect(calls).toEqual(['GET /jobs?per_page=100']);
});

test('a job is canceled by its id', async () => {
  const calls = answerWith(job(9));
  await callCancel(job(9));
  expect(calls).toEqual(['DELETE /jobs/9']);
});
