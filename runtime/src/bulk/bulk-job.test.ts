import { type BulkJob, estimateEnd } from './bulk-job.ts';

const at = (time: string) => new Date(`2026-03-10T${time}Z`);

function running(changes: Partial<BulkJob> = {}) {
  return {
    account_id: 'ann',
    target: {},
    state: 'running' as const,
    total: 100,
    done: 15,
    failed: 5,
    created_at: at('09:00:00'),
    started_at: at('09:10:00'),
    moved_at: at('09:12:00'),
    finished_at: null,
    ...changes,
  };
}

test('the other items take as long as those that have ended, with a result or without', () => {
  // 20 items in 2 minutes: 80 more take 8.
  expect(estimateEnd(running(), at('09:12:30'))).toEqual(at('09:20:00'));
});

test('an end is never in the past', () => {
  const job = running({ total: 21 });
  expect(estimateEnd(job, at('09:15:00'))).toEqual(at('09:15:00'));
});

test('nothing is known before an item has ended, ten minutes after the last one, and after the end', () => {
  const now = at('09:12:30');
  expect(estimateEnd(running({ done: 0, failed: 0, moved_at: null }), now)).toBeNull();
  expect(estimateEnd(running({ started_at: null }), now)).toBeNull();
  expect(estimateEnd(running(), at('09:22:00'))).not.toBeNull();
  expect(estimateEnd(running(), at('09:22:01'))).toBeNull();
  expect(estimateEnd(running({ finished_at: at('09:12:00') }), now)).toBeNull();
});
