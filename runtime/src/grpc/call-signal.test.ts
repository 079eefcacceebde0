import { createCallSignal } from './call-signal.ts';

test('all calls that are over share one error', () => {
  const reasons = [createCallSignal(), createCallSignal()].map((signal) => {
    const { aborted } = signal.get();
    signal.end();
    return { aborted, reason: signal.get().reason as unknown };
  });
  expect(reasons[0]).toMatchObject({ aborted: false, reason: { code: 'SERVICE_UNAVAILABLE' } });
  expect(reasons[1]?.reason).toBe(reasons[0]?.reason);
});
