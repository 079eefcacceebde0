import type { ServiceName } from '../clients.ts';
import { createSlots } from './slots.ts';

function createClockedSlots() {
  let nowMs = 0;
  const slots = createSlots(() => nowMs);
  /** Takes slots, each for an account of its own, until there is none. Returns what is full, and how many there were. */
  function takeAll(names: readonly ServiceName[]): { full: string; count: number } {
    for (let count = 0; ; count++) {
      const taken = slots.take(names, `${names} ${count}`);
      if ('full' in taken) return { full: taken.full, count };
    }
  }
  return { slots, takeAll, advance: (ms: number) => (nowMs += ms) };
}

test('one service that does not answer leaves slots to the others', () => {
  const { takeAll } = createClockedSlots();
  expect(takeAll(['chart'])).toEqual({ full: 'chart', count: 100 });
  expect(takeAll(['tracking'])).toEqual({ full: 'all', count: 25 });
});

test('all slots are free again after three seconds', () => {
  const { takeAll, advance } = createClockedSlots();
  takeAll(['chart']);
  takeAll(['niche']);
  advance(3000);
  expect(takeAll(['tracking']).count).toBe(100);
});

test('a call of two services takes a slot of each, or none', () => {
  const { slots, takeAll } = createClockedSlots();
  takeAll(['scoring']);
  for (let call = 0; call < 60; call++)
    expect(slots.take(['tracking', 'scoring'], 'one')).toEqual({ full: 'scoring' });
  expect(takeAll(['tracking']).count).toBe(25);
});

test('services that answer many calls a second may have as many in progress', () => {
  const { slots, takeAll, advance } = createClockedSlots();
  for (let call = 0; call < 4000; call++)
    for (const name of ['tracking', 'chart'] as const) {
      const taken = slots.take([name], 'quick');
      advance(2);
      if ('slot' in taken) {
        taken.slot.answer(false);
        taken.slot.free();
      }
    }
  const together = takeAll(['tracking']).count + takeAll(['chart']).count;
  expect(together).toBeGreaterThan(490);
  expect(together).toBeLessThan(520);
});

test('accounts with calls in progress leave a quarter of all slots to others', () => {
  const { slots } = createClockedSlots();
  const names: ServiceName[] = ['tracking', 'scoring', 'chart'];
  for (let call = 0; call < 300; call++) slots.take([names[call % 3] as ServiceName], `busy ${call % 2}`);
  expect(slots.take(['niche'], 'busy 0')).toEqual({ full: 'all' });
  for (let account = 0; account < 25; account++)
    expect(slots.take(['niche'], `idle ${account}`)).toHaveProperty('slot');
});
