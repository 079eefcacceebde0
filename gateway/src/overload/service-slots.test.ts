import { createServiceSlots, type Slot } from './service-slots.ts';
import { createSlotLimit } from './slot-limit.ts';

function createClockedSlots() {
  let nowMs = 0;
  const slots = createServiceSlots({ monotonicMs: () => nowMs, limit: createSlotLimit() });
  /** Takes slots, each for an account of its own. Returns those that there were. */
  const takeMany = (count: number, account = 'other') =>
    Array.from({ length: count }, (_, index) => slots.take(`${account} ${index}`)).filter(
      (slot): slot is Slot => slot !== null,
    );
  /** Answers late until the limit is 8. */
  function overload(): void {
    for (let round = 0; round < 4; round++) {
      const slow = takeMany(12);
      nowMs += 950;
      for (const slot of slow) slot.answer(false);
      for (const slot of slow) slot.free();
    }
  }
  return { slots, takeMany, overload, advance: (ms: number) => (nowMs += ms) };
}

test('a slot is free once the call has ended, once', () => {
  const { slots, takeMany, overload } = createClockedSlots();
  overload();
  const [first] = takeMany(20);
  expect(slots.take('late')).toBeNull();
  first?.free();
  first?.free();
  expect(slots.take('late')).not.toBeNull();
  expect(slots.take('later')).toBeNull();
});

test('a call that waits for a store needs no slot after three seconds', () => {
  const { takeMany, overload, advance } = createClockedSlots();
  overload();
  expect(takeMany(20)).toHaveLength(8);
  advance(2999);
  expect(takeMany(20)).toHaveLength(0);
  advance(1);
  expect(takeMany(20)).toHaveLength(8);
});

test('the last quarter is for accounts without a call in progress', () => {
  const { slots, takeMany, overload } = createClockedSlots();
  overload();
  const many = Array.from({ length: 20 }, () => slots.take('many')).filter((slot) => slot !== null);
  expect(many).toHaveLength(6);
  const few = takeMany(20);
  expect(few).toHaveLength(2);
  few[0]?.free();
  expect(slots.take('many')).toBeNull();
  expect(slots.take('one call')).not.toBeNull();
});

test('calls that wait for a store do not make a service look slow', () => {
  const { slots, takeMany, advance } = createClockedSlots();
  for (let round = 0; round < 10; round++) {
    const waiting = takeMany(20);
    advance(900);
    for (const slot of waiting) slot.answer(true);
    for (const slot of waiting) slot.free();
  }
  expect(slots.limit()).toBe(100);
});
