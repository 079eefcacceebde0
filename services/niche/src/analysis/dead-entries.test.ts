import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createDeadEntries } from './dead-entries.ts';

const entry = (id: string, renewals: number) => ({
  id,
  key: id,
  holder: 'other',
  callers: [],
  runs_for: null,
  renewals,
});

test('an entry is dead once it was seen for the whole lease without a renewal', () => {
  const clock = createManualClock('2026-03-10T12:00:00Z');
  const findDead = createDeadEntries({ leaseMs: 30_000, monotonicMs: clock.monotonicMs });
  expect([...findDead([entry('dead', 4), entry('alive', 4)])]).toEqual([]);
  clock.advance(29_999);
  expect([...findDead([entry('dead', 4), entry('alive', 5)])]).toEqual([]);
  clock.advance(1);
  expect([...findDead([entry('dead', 4), entry('alive', 5), entry('new', 0)])]).toEqual(['dead']);
  clock.setBy(-60 * 60_000);
  expect([...findDead([entry('dead', 4), entry('alive', 5)])]).toEqual(['dead']);
});

test('an entry that left the queue is forgotten', () => {
  const clock = createManualClock('2026-03-10T12:00:00Z');
  const findDead = createDeadEntries({ leaseMs: 30_000, monotonicMs: clock.monotonicMs });
  findDead([entry('one', 4)]);
  findDead([]);
  clock.advance(30_000);
  expect([...findDead([entry('one', 4)])]).toEqual([]);
});
