/** The index of the first of `count` sorted texts that is not before `text`; `count` when all are before it. */
export function lowerBound(
  text: string,
  { count, textAt }: { count: number; textAt: (index: number) => string },
): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (textAt(middle) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
