import { createCallsInProgress } from './calls-in-progress.ts';

const call = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/call' });
const cancel = (requestId: unknown) => ({ method: 'notifications/cancelled', params: { requestId } });

test('a call is cancelled by its id and the key of its caller', () => {
  const calls = createCallsInProgress();
  const [one, text, other] = [
    calls.follow(['a'], call(1)),
    calls.follow(['a'], call('1')),
    calls.follow(['b'], call(1)),
  ];
  calls.follow(['a'], cancel(1));
  expect([one, text, other].map(({ cancelled }) => cancelled.aborted)).toEqual([true, false, false]);
});

test('nothing is cancelled when two clients of a key use the id, or when the call has ended', () => {
  const calls = createCallsInProgress();
  const [one, two] = [calls.follow(['a'], call(1)), calls.follow(['a'], call(1))];
  calls.follow(['a'], cancel(1));
  expect([one.cancelled.aborted, two.cancelled.aborted]).toEqual([false, false]);
  one.end();
  calls.follow(['a'], cancel(1));
  expect([one.cancelled.aborted, two.cancelled.aborted]).toEqual([false, true]);
});

test('a body that is no message follows nothing', () => {
  const calls = createCallsInProgress();
  for (const body of [undefined, null, [], 'text', { method: 'notifications/cancelled' }]) {
    const { cancelled, end } = calls.follow(['a'], body);
    end();
    expect(cancelled.aborted).toBe(false);
  }
});
