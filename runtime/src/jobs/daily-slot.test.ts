import { slotOf, slotOfNextDay } from './daily-slot.ts';

const dayMs = 86_400_000;

test('the slot of an id is at the same time every day', () => {
  for (const id of [1, 2, 99, 4_000_000_000]) {
    const first = slotOf(id, '2026-03-10').getTime();
    expect(slotOf(id, '2026-03-10').getTime()).toBe(first);
    expect(slotOf(id, '2026-03-11').getTime()).toBe(first + dayMs);
    expect(slotOfNextDay(id, '2026-03-10').getTime()).toBe(first + dayMs);
  }
});

test('slots are spread evenly over the first 23 hours', () => {
  const perHour = Array.from({ length: 24 }, () => 0);
  for (let id = 1; id <= 23_000; id++) {
    const slot = slotOf(id, '2026-03-10');
    expect(slot.toISOString().slice(0, 10)).toBe('2026-03-10');
    perHour[slot.getUTCHours()] = (perHour[slot.getUTCHours()] ?? 0) + 1;
  }
  expect(perHour[23]).toBe(0);
  for (const count of perHour.slice(0, 23)) {
    expect(count).toBeGreaterThan(850);
    expect(count).toBeLessThan(1150);
  }
});
