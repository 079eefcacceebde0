export type MeasuredCall<Result> = { result: Result; sentMs: number; answeredMs: number };

/**
 * Makes a call and says when it was sent and when its answer was there, in ms of one clock. For a gap between calls that
 * must be long enough: a busy machine only makes it longer, so that it fails no test.
 */
export async function measureCall<Result>(call: () => Promise<Result>): Promise<MeasuredCall<Result>> {
  const sentMs = performance.now();
  const result = await call();
  return { result, sentMs, answeredMs: performance.now() };
}

/** How long after the first of any six calls the answer to the last one came, at least: Infinity for fewer calls. */
export function shortestGapOfSix(calls: readonly MeasuredCall<unknown>[]): number {
  const inOrder = calls.toSorted((one, other) => one.sentMs - other.sentMs);
  const gaps = inOrder.slice(5).map(({ answeredMs }, index) => answeredMs - (inOrder[index]?.sentMs ?? 0));
  return Math.min(...gaps);
}
