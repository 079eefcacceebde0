import type { Socket } from 'node:net';

export type SlotHolder = {
  socket: Socket;
  /** IPv4, or the /64 of IPv6; null: a trusted proxy's, which carries requests of many clients. */
  address: string | null;
  /** Whether the client waits for nothing. */
  isIdle(): boolean;
  hasValidKey(): boolean;
};

/**
 * Shares the connections of the server, so that one address cannot take all of them. When there are too many, the address
 * with the most of them loses one for a client with fewer.
 */
export function createConnectionSlots<Holder extends SlotHolder>() {
  /** Oldest first. */
  const holders = new Map<string, Set<Holder>>();

  function largest(): Set<Holder> {
    let most = new Set<Holder>();
    for (const held of holders.values()) if (held.size > most.size) most = held;
    return most;
  }

  return {
    add(holder: Holder): void {
      if (holder.address === null) return;
      const held = holders.get(holder.address) ?? new Set();
      holders.set(holder.address, held.add(holder));
    },

    remove(holder: Holder): void {
      if (holder.address === null) return;
      const held = holders.get(holder.address);
      if (held?.delete(holder) && held.size === 0) holders.delete(holder.address);
    },

    /**
     * The connection that makes room for this new one, or null when the new one has no better claim. It is an idle one of
     * the address with the most, preferably without a valid key, the oldest first.
     */
    chooseToEnd(newcomer: Holder): Holder | null {
      const own = newcomer.address === null ? 0 : (holders.get(newcomer.address)?.size ?? 0);
      const held = largest();
      if (held.size <= own) return null;
      const idle = [...held].filter((holder) => holder.isIdle());
      return idle.find((holder) => !holder.hasValidKey()) ?? idle[0] ?? null;
    },
  };
}
