/**
 * The longest time for which the event loop of a process was held since the last call, in ms, from its metrics.
 * @param metricsUrl the address of its METRICS_PORT
 */
export async function readLoopLagMs(metricsUrl: string): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const seconds = text.match(/^nodejs_eventloop_lag_max_seconds (\S+)/m)?.[1];
  return Math.round(Number(seconds) * 1000);
}
