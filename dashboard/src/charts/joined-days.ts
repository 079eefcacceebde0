type Point = { at: number; value: number };

/** Lines of days that follow one another and all have a value. A day without one is a gap. */
export function joinedDays(values: readonly (number | null)[]): Point[][] {
  const lines: Point[][] = [];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const line = lines.at(-1);
    if (line?.at(-1)?.at === at - 1) line.push({ at, value });
    else lines.push([{ at, value }]);
  }
  return lines;
}
