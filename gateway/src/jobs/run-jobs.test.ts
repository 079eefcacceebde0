import type { JobBatch, RunJobBatchRequest } from '@shelfwise/proto/jobs/v1/jobs';
import { AppError } from '@shelfwise/runtime/errors';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import type { Use } from '../limits/usage-counters.ts';
import { createRunJobs } from './run-jobs.ts';

const batchOf = (id: number): JobBatch => ({
  job_id: id,
  account_id: 'ann',
  claim: `claim ${id}`,
  target: null,
  items: [{ position: 1, text: 'one', is_spent: false }],
});

/** A service with these batches. */
function start({ refunds = { refunded_requests: 0, refunded_uses: 0 }, cannotCount = false } = {}) {
  const clock = createManualClock('2026-06-15T12:00:00Z');
  const waiting: JobBatch[] = [];
  const ran: RunJobBatchRequest[] = [];
  const refunded: string[] = [];
  const warnings: string[] = [];
  const service = {
    failure: null as AppError | null,
    runFailure: null as AppError | null,
    takes: 0,
    nextAt: null as Date | null,
    running: async () => {},
    async takeJobBatch() {
      service.takes += 1;
      if (service.failure) throw service.failure;
      return { batch: waiting.shift() ?? null, next_at: service.nextAt };
    },
    async runJobBatch(request: RunJobBatchRequest) {
      await service.running();
      if (service.runFailure) throw service.runFailure;
      ran.push(request);
      return refunds;
    },
  };
  const runJobs = createRunJobs({
    services: [service],
    async spendBatch({ job_id, claim, items }) {
      if (cannotCount) throw new AppError('SERVICE_UNAVAILABLE', 'Away.');
      const granted = items.map(({ position }) => ({ position, is_capped: true }));
      return { job_id, claim, items: granted, refusal: null };
    },
    counters: { refund: async ({ counter }: Use) => void refunded.push(counter) },
    logger: { warn: (_: object, message: string) => void warnings.push(message) } as never,
    now: clock.now,
    sleep: clock.sleep,
  });
  return { clock, waiting, ran, refunded, warnings, service, runJobs };
}

/** A worker waits for the next look. */
const idle = (clock: ReturnType<typeof createManualClock>, workers = 1) =>
  until(() => clock.sleeping() === workers);

test('batches run one after another while there are any, then a look comes every minute', async () => {
  const { clock, waiting, ran, runJobs, service } = start();
  waiting.push(batchOf(1), batchOf(2), batchOf(3));
  runJobs.start();
  await idle(clock);
  expect(ran.map(({ claim }) => claim).sort()).toEqual(['claim 1', 'claim 2', 'claim 3']);
  const { takes } = service;
  clock.advance(59_999);
  expect(service.takes).toBe(takes);
  waiting.push(batchOf(4));
  clock.advance(1);
  await until(() => ran.length === 4);
  await runJobs.stop();
});

test('a job whose pause ends is taken then', async () => {
  const { clock, waiting, ran, runJobs, service } = start();
  service.nextAt = new Date(clock.now().getTime() + 20_000);
  runJobs.start();
  await idle(clock);
  waiting.push(batchOf(1));
  clock.advance(19_999);
  expect(ran).toEqual([]);
  clock.advance(1);
  await until(() => ran.length === 1);
  await runJobs.stop();
});

test('a job that is created in this process runs at once', async () => {
  const { clock, waiting, ran, runJobs } = start();
  runJobs.start();
  await idle(clock);
  waiting.push(batchOf(1));
  runJobs.wake();
  await until(() => ran.length === 1);
  await runJobs.stop();
});

test('a batch that cannot be counted is given back', async () => {
  const { waiting, ran, warnings, refunded, runJobs } = start({ cannotCount: true });
  waiting.push(batchOf(2));
  runJobs.start();
  await until(() => warnings.length === 1);
  expect(ran).toEqual([{ job_id: 2, claim: 'claim 2', items: [], refusal: null }]);
  expect(refunded).toEqual([]);
  await runJobs.stop();
});

test('nothing is refunded for a job that tracks: it spends nothing', async () => {
  const { clock, waiting, ran, refunded, runJobs } = start({
    refunds: { refunded_requests: 2, refunded_uses: 1 },
  });
  waiting.push(batchOf(1));
  runJobs.start();
  await until(() => ran.length === 1);
  await idle(clock);
  expect(refunded).toEqual([]);
  await runJobs.stop();
});

test('what failed is refunded', async () => {
  const { waiting, refunded, runJobs } = start({ refunds: { refunded_requests: 2, refunded_uses: 1 } });
  waiting.push(batchOf(2));
  runJobs.start();
  await until(() => refunded.length === 3);
  expect(refunded).toEqual(['api_requests', 'api_requests', 'keyword_inspections']);
  await runJobs.stop();
});

test('a batch whose claim is lost is refunded as a whole; one whose end is not known is not', async () => {
  const { clock, waiting, refunded, warnings, runJobs, service } = start();
  service.runFailure = new AppError('SERVICE_UNAVAILABLE', 'Away.');
  waiting.push(batchOf(2));
  runJobs.start();
  await until(() => warnings.length === 1);
  expect(refunded).toEqual([]);
  service.runFailure = new AppError('NOT_FOUND', 'The batch belongs to another copy.');
  waiting.push(batchOf(4));
  clock.advance(5000);
  await until(() => refunded.length === 2);
  expect(refunded).toEqual(['api_requests', 'keyword_inspections']);
  expect(warnings).toHaveLength(1);
  await runJobs.stop();
});

test('a service that is away is asked again, with one line in the log for each worker', async () => {
  const { clock, waiting, ran, warnings, runJobs, service } = start();
  service.failure = new AppError('SERVICE_UNAVAILABLE', 'Away.');
  runJobs.start();
  await idle(clock, 2);
  clock.advance(5000);
  await until(() => service.takes === 4);
  await idle(clock, 2);
  expect(warnings).toHaveLength(2);
  service.failure = null;
  waiting.push(batchOf(1));
  clock.advance(5000);
  await until(() => ran.length === 1);
  await runJobs.stop();
});

test('a stop waits for a batch that runs', async () => {
  const { waiting, ran, runJobs, service } = start();
  let isRunning = false;
  let end = () => {};
  service.running = () => {
    isRunning = true;
    return new Promise((resolve) => {
      end = resolve;
    });
  };
  waiting.push(batchOf(1));
  runJobs.start();
  await until(() => isRunning);
  const stopped = runJobs.stop();
  end();
  await stopped;
  expect(ran).toHaveLength(1);
});
