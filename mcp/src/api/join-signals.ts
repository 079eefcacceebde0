/**
 * A signal that fires with the first of these, until `release`. Unlike that of `AbortSignal.any`, nothing of it stays with a
 * signal that lives as long as the process: Node 20 keeps some 70 bytes of each there.
 */
export function joinSignals(signals: readonly AbortSignal[]): { signal: AbortSignal; release(): void } {
  const joined = new AbortController();
  const fire = () => joined.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const one of signals) one.addEventListener('abort', fire);
  if (signals.some(({ aborted }) => aborted)) fire();
  return {
    signal: joined.signal,
    release() {
      for (const one of signals) one.removeEventListener('abort', fire);
    },
  };
}
