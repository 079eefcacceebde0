/** When a call was sent and answered, in ms. */
export type CallTimes = { sentAt: number; answeredAt: number };

/** The most calls that were sent and answered within this time: all of them were certainly decided in it. */
export function mostWithin(calls: readonly CallTimes[], ms: number): number {
  const countFrom = (from: number) =>
    calls.filter(({ sentAt, answeredAt }) => sentAt >= from && answeredAt <= from + ms).length;
  return Math.max(0, ...calls.map(({ sentAt }) => countFrom(sentAt)));
}
