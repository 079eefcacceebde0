import { createWakeSignal } from './wake-signal.ts';

test('a ring before anybody waits is heard, once', async () => {
  const bell = createWakeSignal();
  bell.raise();
  bell.raise();
  await bell.raised();
  let heard = false;
  const next = bell.raised().then(() => {
    heard = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toBe(false);
  bell.raise();
  await next;
});
