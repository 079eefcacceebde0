/** When a call was sent and answered, in ms. */
export type CallTimes = { sentAt: number; answeredAt: number };

/** The most calls that were sent and answered within this time: all of them were certainly decided in it. */
export function mostWithin(calls: readonly CallTimes[], ms: number): number {
  const countFrom = (from: number) =>
    calls.filter(({ sentAt, answeredAt }) => sentAt >= from && answeredAt <= from + ms).length;
  return Math.max(0, ...calls.map(({ sentAt }) => countFrom(sentAt)));
}

/** The most times in any window of `ms`, wherever it starts. */
export function mostTimesWithin(times: readonly number[], ms: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  let most = 0;
  let start = 0;
  for (const [index, time] of sorted.entries()) {
    while (time - (sorted[start] as number) >= ms) start++;
    most = Math.max(most, index - start + 1);
  }
  return most;
}

/** The most times beyond `perMinute` a minute, in any span of time that ends with one of them. */
export function mostTimesBeyond(times: readonly number[], perMinute: number): number {
  let beyond = 0;
  let before = Number.NEGATIVE_INFINITY;
  let most = 0;
  for (const time of [...times].sort((one, other) => one - other)) {
    beyond = Math.max(0, beyond - ((time - before) * perMinute) / 60_000) + 1;
    before = time;
    most = Math.max(most, beyond);
  }
  return Math.ceil(most);
}
