// Not read from Math at each use, because these functions run hundreds of thousands of times for one day's index.
const { imul, floor } = Math;

/** A 32-bit seed from a text: FNV-1a with a final mix, so that similar texts give unrelated seeds. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = imul(hash ^ text.charCodeAt(i), 0x01000193);
  return scramble(hash);
}

/**
 * A seed that depends on each of the numbers and on their order. A constant among them names a property (price, release
 * day), so that properties do not depend on each other; its value means nothing.
 */
export function mix(seed: number, ...numbers: number[]): number {
  let mixed = seed;
  for (const number of numbers) mixed = scramble(imul(mixed ^ number, 0x9e3779b1) + 0x7f4a7c15);
  return mixed;
}

/** The seed as a number from 0 (inclusive) to 1 (exclusive), uniformly distributed. */
export function unit(seed: number): number {
  return (scramble(seed) >>> 0) / 0x1_0000_0000;
}

/** Roughly normally distributed with mean 0 and standard deviation 1; never beyond ±3.5. */
export function gaussian(seed: number): number {
  let sum = 0;
  for (let i = 0; i < 4; i++) sum += unit(mix(seed, i));
  return (sum - 2) * Math.sqrt(3);
}

/**
 * The value on a day of a curve from -1 to 1 without jumps. It changes direction at random about every `periodDays`
 * days.
 */
export function drift(seed: number, day: number, periodDays: number): number {
  const position = day / periodDays;
  const knot = floor(position);
  const progress = position - knot;
  const from = unit(mix(seed, knot));
  const to = unit(mix(seed, knot + 1));
  return 2 * (from + (to - from) * progress * progress * (3 - 2 * progress)) - 1;
}

/** One of the items; the list must not be empty. */
export function pick<T>(items: readonly T[], seed: number): T {
  const item = items[floor(unit(seed) * items.length)];
  if (item === undefined) throw new RangeError('cannot pick from an empty list');
  return item;
}

/** The items in an order that depends on the seed. */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  return items
    .map((item, index) => ({ item, key: unit(mix(seed, index)) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** The finalizer of MurmurHash3: every bit of the input reaches every bit of the output. */
function scramble(value: number): number {
  let mixed = value | 0;
  mixed = imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
