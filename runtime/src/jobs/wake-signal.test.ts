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
