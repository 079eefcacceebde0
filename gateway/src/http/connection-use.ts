import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Use = {
  hasValidKey: boolean;
  /** Whether it has carried anything but refused calls without a valid key. */
  hasOther: boolean;
  unanswered: ReadonlySet<ServerResponse>;
};

export type ConnectionUse = ReturnType<typeof createConnectionUse>;

/** What each connection has carried: one that was of no use to anyone may be closed. */
export function createConnectionUse() {
  const uses = new WeakMap<Socket, Use>();
  const refused = new WeakSet<ServerResponse>();

  return {
    follow(socket: Socket, unanswered: ReadonlySet<ServerResponse>): void {
      uses.set(socket, { hasValidKey: false, hasOther: false, unanswered });
    },

    noteValidKey(socket: Socket): void {
      const use = uses.get(socket);
      if (use) use.hasValidKey = true;
    },

    /** The request of this response is refused, because it has no valid key. */
    noteRefusal(response: ServerResponse): void {
      refused.add(response);
    },

    noteAnswered(socket: Socket, response: ServerResponse): void {
      const use = uses.get(socket);
      if (use && !refused.has(response)) use.hasOther = true;
    },

    hasValidKey(socket: Socket): boolean {
      return uses.get(socket)?.hasValidKey ?? false;
    },

    /**
     * Whether the connection has carried only refused calls without a valid key, and no waiting request of it may have one.
     * `own` does not count.
     */
    isUseless({ socket }: IncomingMessage, own: ServerResponse): boolean {
      const use = uses.get(socket);
      if (!use || use.hasValidKey || use.hasOther) return false;
      for (const response of use.unanswered) if (response !== own && mayHaveKey(response.req)) return false;
      return true;
    },
  };
}

function mayHaveKey({ headers, url = '' }: IncomingMessage): boolean {
  return headers['x-api-key'] !== undefined || headers.authorization !== undefined || url.includes('api_key');
}
