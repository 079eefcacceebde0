import { ApiError } from './api.ts';
import { callEach } from './call-each.ts';

const tooSoon = new ApiError('Too many.', { code: 'RATE_LIMITED', requestId: null, retryAfterSeconds: 2 });

function start(failures: (number | Error)[]) {
  const log: unknown[] = [];
  const call = async (item: string) => {
    log.push(item);
    const failure = failures.shift();
    if (failure instanceof Error) throw failure;
  };
  const run = () =>
    callEach(
      ['a', 'b'],
      call,
      (done) => log.push(done),
      async (seconds) => void log.push(`${seconds} s`),
    );
  return { log, run };
}

test('a call that comes too soon waits as long as the answer says, and is repeated', async () => {
  const { log, run } = start([0, tooSoon, 0]);
  await run();
  expect(log).toEqual(['a', 1, 'b', '2 s', 'b', 2]);
});

test('another failure ends the calls, and what is done stays done', async () => {
  const failure = new ApiError('Not there.', { code: 'NOT_FOUND', requestId: null, retryAfterSeconds: null });
  const { log, run } = start([0, failure]);
  await expect(run()).rejects.toBe(failure);
  expect(log).toEqual(['a', 1, 'b']);
});

test('it does not wait for ever', async () => {
  const { log, run } = start(Array.from({ length: 20 }, () => tooSoon));
  await expect(run()).rejects.toBe(tooSoon);
  expect(log.filter((entry) => entry === 'a')).toHaveLength(6);
});
