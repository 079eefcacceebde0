import { PartState } from '@shelfwise/runtime/process/status';
import { backlogStatus } from './backlog-status.ts';

const now = () => new Date('2026-03-10T09:00:00Z');
const healthy = { name: 'audits', pauseReason: () => null };
const backlog = (terms: number) => ({
  countTerms: async (_at: Date, limit: number) => Math.min(terms, limit),
  countListings: async () => 3,
});

test('it says how much work is waiting; a backlog alone does not degrade it', async () => {
  const status = backlogStatus({ workers: [healthy], backlog: backlog(1234), now });
  expect(await status()).toEqual({
    name: 'scoring run',
    state: PartState.OK,
    detail: '1,234 keywords wait to be measured, 3 listings to be audited',
    is_embedded: false,
  });
  const one = { ...backlog(1), countListings: async () => 1 };
  expect((await backlogStatus({ workers: [], backlog: one, now })()).detail).toBe(
    '1 keyword waits to be measured, 1 listing to be audited',
  );
  const long = await backlogStatus({ workers: [healthy], backlog: backlog(5_000_000), now })();
  expect(long.detail).toContain('10,000 or more keywords');
});

test('it is degraded while a store cannot be read, with the reason and the time of the next try', async () => {
  const until = new Date('2026-03-10T09:01:00Z');
  const paused = {
    name: 'App Store keywords to score',
    pauseReason: () => ({ until, reason: 'It blocks us.' }),
  };
  const { state, detail } = await backlogStatus({ workers: [paused, healthy], backlog: backlog(1), now })();
  expect(state).toBe(PartState.DEGRADED);
  expect(detail).toMatch(/; App Store keywords to score are not read until 09:01 UTC: It blocks us\.$/);
});

test('a database that is down is reported without its address', async () => {
  const countTerms = () => Promise.reject(new Error('connect 10.0.0.7:27017'));
  const status = backlogStatus({ workers: [], backlog: { ...backlog(0), countTerms }, now });
  await expect(status()).rejects.toThrow(/^the database does not answer$/);
});
