/** How many calls a gateway has decided without Redis since its start. @param metrics the text of its /metrics */
export function countLocalDecisions(metrics: string): number {
  return Number(/shelfwise_gateway_local_decisions_total (\d+)/.exec(metrics)?.[1] ?? 0);
}

/** The same of several gateways. */
export function sumLocalDecisions(metrics: Iterable<string>): number {
  return [...metrics].reduce((sum, text) => sum + countLocalDecisions(text), 0);
}
