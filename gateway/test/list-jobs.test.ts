import type { Job } from '@shelfwise/proto/jobs/v1/jobs';
import { storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();

const job = (id: number, minute: number): Job => ({
  id,
  state: 'QUEUED',
  target: { storefront },
  total: 3,
  done: 0,
  failed: 0,
  eta: null,
  created_at: new Date(Date.UTC(2026, 5, 15, 10, minute)),
  finished_at: null,
});

beforeEach(() => {
  api.tracking.answer({ listJobs: async () => ({ jobs: [job(5, 20), job(3, 5)] }) });
  api.scoring.answer({ listJobs: async () => ({ jobs: [job(4, 20), job(2, 10)] }) });
});

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

test('the jobs of both kinds are one list, newest first', async () => {
  const { data, meta } = (await api.call('GET', '/api/v1/jobs')).body;
  expect(idsOf(data)).toEqual([5, 4, 2, 3]);
  expect(data[0]).toMatchObject({ kind: 'track_keywords', state: 'queued', total: 3 });
  expect(data[1]).toMatchObject({ kind: 'inspect_keywords' });
  expect(meta).toMatchObject({ total: 4, has_more: false });
});

test('in pages', async () => {
  const { data, meta } = (await api.call('GET', '/api/v1/jobs?page=2&per_page=3')).body;
  expect(idsOf(data)).toEqual([3]);
  expect(meta).toMatchObject({ total: 4, total_pages: 2, has_more: false });
});

test('as CSV, a row is a job', async () => {
  const { body } = await api.call('GET', '/api/v1/jobs', { headers: { accept: 'text/csv' } });
  expect(body.split('\r\n')[1]).toMatch(/^5,track_keywords,queued,,ITUNES,US,en-US,3,0,0,,2026-06-15T10:20/);
});
