import { chooseWaitMs } from './choose-wait.ts';
import { ApiError, ConnectionError } from './errors.ts';

const facts = { requestId: null, isRepeatable: true };
const limited = (headers: Record<string, string> = {}) =>
  new ApiError(
    { status: 429, headers: new Headers(headers), body: { error: 'x', code: 'RATE_LIMITED' } },
    { ...facts, isRepeatable: false },
  );

test('each wait is longer than the one before, up to eight seconds', () => {
  const error = new ConnectionError('x', facts);
  expect([0, 1, 2, 3, 4, 9].map((retries) => chooseWaitMs(error, retries, () => 0))).toEqual([
    500, 1000, 2000, 4000, 8000, 8000,
  ]);
});

test('it is never shorter than the API asks, and clients of one key come back apart', () => {
  const error = limited({ 'retry-after': '30' });
  expect([0, 1].map((random) => chooseWaitMs(error, 0, () => random))).toEqual([30_000, 30_250]);
  expect(chooseWaitMs(limited(), 1, () => 0)).toBe(1000);
  expect(chooseWaitMs(limited({ 'retry-after': '601' }), 0)).toBeNull();
  expect(chooseWaitMs(limited({ 'retry-after': '9'.repeat(500) }), 0)).toBeNull();
});

test('a write without an answer is not repeated', () => {
  expect(chooseWaitMs(new ConnectionError('x', { ...facts, isRepeatable: false }), 0)).toBeNull();
});
