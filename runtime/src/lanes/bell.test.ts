import { createBell } from './bell.ts';

test('a ring before anybody waits is heard, once', async () => {
  const bell = createBell();
  bell.ring();
  bell.ring();
  await bell.heard();
  let heard = false;
  const next = bell.heard().then(() => {
    heard = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toBe(false);
  bell.ring();
  await next;
});
