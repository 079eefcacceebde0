import { createManualClock } from '../../../testing/manual-clock.ts';
import { createWakeSignal } from './wake-signal.ts';

test('a signal that is raised before the wait wakes it, once', async () => {
  const signal = createWakeSignal();
  signal.raise();
  signal.raise();
  await signal.raised();
  let isRaised = false;
  const next = signal.raised().then(() => {
    isRaised = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isRaised).toBe(false);
  signal.raise();
  await next;
});

test('a wait with a limit ends after it, or with the signal, and leaves no timer', async () => {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const signal = createWakeSignal();
  const limited = signal.raisedWithin(1000, clock.sleep);
  clock.advance(1000);
  await limited;
  const woken = signal.raisedWithin(1000, clock.sleep);
  signal.raise();
  await woken;
  expect(clock.sleeping()).toBe(0);
});
