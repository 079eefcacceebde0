/**
 * A pseudorandom number generator (mulberry32), so that a run can be repeated: the same seed gives the same numbers.
 * @param seed an integer; only its low 32 bits count
 */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** a number from 0 up to, but excluding, 1 */
    next,
    /** an integer from 0 up to, but excluding, `end` */
    below: (end: number) => Math.floor(next() * end),
    /** one of the items; there must be at least one */
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
  };
}

export type Random = ReturnType<typeof createRandom>;
