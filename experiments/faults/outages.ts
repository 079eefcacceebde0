/** A call as its client sees it; times in ms on one clock. */
export type SeenCall = { sentAt: number; ms: number; isGood: boolean };

export type Outage = {
  ms: number;
  /** What the client called. */
  kind: string;
};

/** The longest outage of a client. A client whose last call failed waits until `endAt`. */
export function worstOutage<Client extends { kind: { name: string } }>(
  calls: readonly (SeenCall & { client: Client })[],
  endAt: number,
): Outage {
  const byClient = new Map<Client, SeenCall[]>();
  for (const call of calls) byClient.set(call.client, [...(byClient.get(call.client) ?? []), call]);
  const outages = [...byClient].map(([client, own]) => ({
    ms: longestOutage(own, endAt),
    kind: client.kind.name,
  }));
  return outages.reduce((worst, one) => (one.ms > worst.ms ? one : worst), { ms: 0, kind: '' });
}

/**
 * The longest time for which a client had no answer, in ms: from the sending of a call that fails to the first good
 * answer to a later call, or as long as one call took, whichever is longer.
 */
export function longestOutage(calls: readonly SeenCall[], endAt: number): number {
  const inOrder = [...calls].sort((one, other) => one.sentAt - other.sentAt);
  let longest = 0;
  let failingSince: number | null = null;
  for (const { sentAt, ms, isGood } of inOrder) {
    longest = Math.max(longest, ms);
    if (!isGood) failingSince ??= sentAt;
    else if (failingSince !== null) {
      longest = Math.max(longest, sentAt + ms - failingSince);
      failingSince = null;
    }
  }
  return failingSince === null ? longest : Math.max(longest, endAt - failingSince);
}

/** How long after `liftedAt` the last bad call ended, in ms; 0 when all was good before. */
export function recoveryTime(calls: readonly SeenCall[], liftedAt: number, slowMs: number): number {
  let last = liftedAt;
  for (const { sentAt, ms, isGood } of calls) if (!isGood || ms > slowMs) last = Math.max(last, sentAt + ms);
  return last - liftedAt;
}

/** The end of the last second in which more than a fiftieth of the sent calls were slow or failed, in ms after `startedAt`. */
export function backAfter(records: readonly SeenCall[], startedAt: number, slowMs: number): number {
  const secondOf = ({ sentAt }: SeenCall) => Math.floor((sentAt - startedAt) / 1000);
  const seconds = new Map<number, SeenCall[]>();
  for (const record of records)
    seconds.set(secondOf(record), [...(seconds.get(secondOf(record)) ?? []), record]);
  const isBad = ({ ms, isGood }: SeenCall) => !isGood || ms > slowMs;
  const bad = [...seconds].filter(([, calls]) => calls.filter(isBad).length > calls.length / 50);
  return Math.max(0, ...bad.map(([second]) => 1000 * (second + 1)));
}
