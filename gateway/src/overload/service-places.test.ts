import { createPlaceLimit } from './place-limit.ts';
import { createServicePlaces, type Place } from './service-places.ts';

function createClockedPlaces() {
  let nowMs = 0;
  const places = createServicePlaces({ monotonicMs: () => nowMs, limit: createPlaceLimit() });
  /** Takes places, each for an account of its own. Returns those that there were. */
  const takeMany = (count: number, account = 'other') =>
    Array.from({ length: count }, (_, index) => places.take(`${account} ${index}`)).filter(
      (place): place is Place => place !== null,
    );
  /** Answers late until the limit is 8. */
  function overload(): void {
    for (let round = 0; round < 4; round++) {
      const slow = takeMany(12);
      nowMs += 950;
      for (const place of slow) place.answer(false);
      for (const place of slow) place.free();
    }
  }
  return { places, takeMany, overload, advance: (ms: number) => (nowMs += ms) };
}

test('a place is free once the call has ended, once', () => {
  const { places, takeMany, overload } = createClockedPlaces();
  overload();
  const [first] = takeMany(20);
  expect(places.take('late')).toBeNull();
  first?.free();
  first?.free();
  expect(places.take('late')).not.toBeNull();
  expect(places.take('later')).toBeNull();
});

test('a call that waits for a store needs no place after three seconds', () => {
  const { takeMany, overload, advance } = createClockedPlaces();
  overload();
  expect(takeMany(20)).toHaveLength(8);
  advance(2999);
  expect(takeMany(20)).toHaveLength(0);
  advance(1);
  expect(takeMany(20)).toHaveLength(8);
});

test('the last quarter is for accounts without a call in progress', () => {
  const { places, takeMany, overload } = createClockedPlaces();
  overload();
  const many = Array.from({ length: 20 }, () => places.take('many')).filter((place) => place !== null);
  expect(many).toHaveLength(6);
  const few = takeMany(20);
  expect(few).toHaveLength(2);
  few[0]?.free();
  expect(places.take('many')).toBeNull();
  expect(places.take('one call')).not.toBeNull();
});

test('calls that wait for a store do not make a service look slow', () => {
  const { places, takeMany, advance } = createClockedPlaces();
  for (let round = 0; round < 10; round++) {
    const waiting = takeMany(20);
    advance(900);
    for (const place of waiting) place.answer(true);
    for (const place of waiting) place.free();
  }
  expect(places.limit()).toBe(100);
});
