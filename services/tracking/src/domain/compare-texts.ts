/** In UTF-16, code points above U+FFFF are written as units from here on, below U+E000 to U+FFFF. */
const firstSurrogate = 0xd800;
const firstAfterSurrogates = 0xe000;

/**
 * By code points: the order in which the database sorts texts, and the same on every machine, whatever its language.
 * Negative when `one` comes first, 0 when both are equal.
 */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const [unit, otherUnit] = [one.charCodeAt(index), other.charCodeAt(index)];
    if (unit !== otherUnit) return orderOf(unit) - orderOf(otherUnit);
  }
  return one.length - other.length;
}

function orderOf(unit: number): number {
  return unit >= firstSurrogate && unit < firstAfterSurrogates ? unit + 0x10000 : unit;
}
