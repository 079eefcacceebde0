import { createHash } from 'node:crypto';

/** What tells which call a message of JSON-RPC is, or cancels. */
type Message = { id?: unknown; method?: unknown; params?: { requestId?: unknown } };

/**
 * A client of the 2025 protocol cancels a call by another request, which names its id. Two clients that cannot be told apart
 * may use the same id at once. Then nothing is cancelled.
 */
export function createCallsInProgress() {
  const calls = new Map<string, Set<AbortController>>();

  function cancel(name: string): void {
    const [only, ...others] = calls.get(name) ?? [];
    if (others.length === 0) only?.abort();
  }

  return {
    /**
     * Remembers the call of a request until `end`, and cancels the one that the request names as cancelled.
     * @param client what tells clients apart: the key, the program, the address
     */
    follow(client: readonly string[], body: unknown): { cancelled: AbortSignal; end(): void } {
      const call = new AbortController();
      const { id, method, params } = (body ?? {}) as Message;
      if (method === 'notifications/cancelled') cancel(nameOf(client, params?.requestId));
      if (id === undefined) return { cancelled: call.signal, end() {} };
      const name = nameOf(client, id);
      const same = calls.get(name) ?? new Set();
      calls.set(name, same.add(call));
      return {
        cancelled: call.signal,
        end() {
          same.delete(call);
          if (same.size === 0 && calls.get(name) === same) calls.delete(name);
        },
      };
    },
  };
}

/** A hash, because the client has a key. 1 and "1" are different ids. */
function nameOf(client: readonly string[], id: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([client, id]))
    .digest('base64');
}
