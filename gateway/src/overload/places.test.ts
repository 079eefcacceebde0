import type { ServiceName } from '../clients.ts';
import { createPlaces } from './places.ts';

function createClockedPlaces() {
  let nowMs = 0;
  const places = createPlaces(() => nowMs);
  /** Takes places, each for an account of its own, until there is none. Returns what is full, and how many there were. */
  function takeAll(names: readonly ServiceName[]): { full: string; count: number } {
    for (let count = 0; ; count++) {
      const taken = places.take(names, `${names} ${count}`);
      if ('full' in taken) return { full: taken.full, count };
    }
  }
  return { places, takeAll, advance: (ms: number) => (nowMs += ms) };
}

test('one service that does not answer leaves places to the others', () => {
  const { takeAll } = createClockedPlaces();
  expect(takeAll(['chart'])).toEqual({ full: 'chart', count: 100 });
  expect(takeAll(['tracking'])).toEqual({ full: 'all', count: 25 });
});

test('all places are free again after three seconds', () => {
  const { takeAll, advance } = createClockedPlaces();
  takeAll(['chart']);
  takeAll(['niche']);
  advance(3000);
  expect(takeAll(['tracking']).count).toBe(100);
});

test('a call of two services takes a place of each, or none', () => {
  const { places, takeAll } = createClockedPlaces();
  takeAll(['scoring']);
  for (let call = 0; call < 60; call++)
    expect(places.take(['tracking', 'scoring'], 'one')).toEqual({ full: 'scoring' });
  expect(takeAll(['tracking']).count).toBe(25);
});

test('services that answer many calls a second may have as many in progress', () => {
  const { places, takeAll, advance } = createClockedPlaces();
  for (let call = 0; call < 4000; call++)
    for (const name of ['tracking', 'chart'] as const) {
      const taken = places.take([name], 'quick');
      advance(2);
      if ('place' in taken) {
        taken.place.answer(false);
        taken.place.free();
      }
    }
  const together = takeAll(['tracking']).count + takeAll(['chart']).count;
  expect(together).toBeGreaterThan(490);
  expect(together).toBeLessThan(520);
});

test('accounts with calls in progress leave a quarter of all places to others', () => {
  const { places } = createClockedPlaces();
  const names: ServiceName[] = ['tracking', 'scoring', 'chart'];
  for (let call = 0; call < 300; call++) places.take([names[call % 3] as ServiceName], `busy ${call % 2}`);
  expect(places.take(['niche'], 'busy 0')).toEqual({ full: 'all' });
  for (let account = 0; account < 25; account++)
    expect(places.take(['niche'], `idle ${account}`)).toHaveProperty('place');
});
