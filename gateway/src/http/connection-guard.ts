import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createConnectionSlots, type SlotHolder } from './connection-slots.ts';
import type { ConnectionUse } from './connection-use.ts';

/** Why the server ended a connection. */
export type ConnectionEnd =
  | 'too_many_requests'
  | 'too_many_waiting'
  | 'unread_answers'
  | 'held_memory'
  | 'kept_open'
  | 'made_room'
  | 'max_connections';

export type ConnectionLimits = {
  /** Open connections. Above it one is ended (`createConnectionSlots`). */
  maxConnections: number;
  /** Requests of one connection whose answers are not sent yet. Only a client that pipelines has more than one. */
  maxUnansweredRequests: number;
  /** How long a client may take none of the bytes that wait for it, in ms. */
  maxUnreadMs: number;
  /** How long a client may keep a connection open after the server has ended its side, in ms. */
  maxKeptOpenMs: number;
  /** What all connections together may hold: unanswered requests, and answers that are not taken yet. */
  maxHeldBytes: number;
};

export const connectionLimits: Omit<ConnectionLimits, 'maxConnections'> = {
  maxUnansweredRequests: 16,
  maxUnreadMs: 30_000,
  maxKeptOpenMs: 5000,
  maxHeldBytes: 256 * 1024 * 1024,
};

/** What Node's and our own objects for one unanswered request take, in addition to its bytes. Measured. */
const requestOverheadBytes = 10 * 1024;

type Connection = SlotHolder & {
  unanswered: Set<ServerResponse>;
  /** The bytes received when the last request was answered. */
  receivedBefore: number;
  taken: number;
  /** Since when bytes wait and the client takes none of them; null when none wait. */
  unreadSinceMs: number | null;
  /** Since when only the client keeps the connection open. */
  keptOpenSinceMs: number | null;
};

/**
 * Bounds what clients can make the server hold. It ends a connection, and cancels its work, if it sends too many requests
 * before their answers or does not read them.
 */
export function createConnectionGuard(deps: {
  limits: ConnectionLimits;
  monotonicMs: () => number;
  use: Pick<ConnectionUse, 'follow' | 'noteAnswered' | 'hasValidKey'>;
  /** Whose the connection is (`SlotHolder`). */
  addressOf(socket: Socket): string | null;
  onEnded(reason: ConnectionEnd): void;
}) {
  const { limits, monotonicMs, use, addressOf, onEnded } = deps;
  const connections = new Map<Socket, Connection>();
  const slots = createConnectionSlots<Connection>();

  function end({ socket }: Connection, reason: ConnectionEnd): void {
    if (socket.destroyed) return;
    onEnded(reason);
    socket.destroy();
  }

  function endHeldMemory(): void {
    const held = [...connections.values()].map((connection) => ({
      connection,
      bytes: heldBytes(connection),
    }));
    let total = held.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= limits.maxHeldBytes) return;
    held.sort((a, b) => unreadSince(a.connection) - unreadSince(b.connection) || b.bytes - a.bytes);
    for (const { connection, bytes } of held) {
      if (total <= limits.maxHeldBytes) return;
      end(connection, 'held_memory');
      total -= bytes;
    }
  }

  return {
    /** Follows a new connection. */
    follow(socket: Socket): void {
      const unanswered = new Set<ServerResponse>();
      const connection: Connection = {
        socket,
        address: addressOf(socket),
        isIdle: () => unanswered.size === 0 && !socket.destroyed,
        hasValidKey: () => use.hasValidKey(socket),
        unanswered,
        receivedBefore: 0,
        taken: 0,
        unreadSinceMs: null,
        keptOpenSinceMs: null,
      };
      connections.set(socket, connection);
      slots.add(connection);
      use.follow(socket, unanswered);
      socket.once('close', () => {
        connections.delete(socket);
        slots.remove(connection);
        for (const response of unanswered) closeQueued(response);
      });
      if (connections.size <= limits.maxConnections) return;
      const other = slots.chooseToEnd(connection);
      if (other) end(other, 'made_room');
      else end(connection, 'max_connections');
    },

    /**
     * Counts a request until its answer is sent. Returns false when the request must be dropped: it is one too many, or
     * its connection has been ended while more requests were already received.
     */
    admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
      const connection = connections.get(socket);
      if (!connection || socket.destroyed) return false;
      const { unanswered } = connection;
      if (unanswered.size >= limits.maxUnansweredRequests) {
        end(connection, 'too_many_requests');
        return false;
      }
      unanswered.add(response);
      response.once('close', () => {
        unanswered.delete(response);
        if (response.writableFinished) use.noteAnswered(socket, response);
        if (unanswered.size === 0) connection.receivedBefore = socket.bytesRead;
      });
      return true;
    },

    /** Ends the connection of a refused request: too many of its address wait. */
    endWaiting({ socket }: IncomingMessage): void {
      const connection = connections.get(socket);
      if (connection) end(connection, 'too_many_waiting');
    },

    /** Ends the connections that are over a limit. Called once a second. */
    check(): void {
      const nowMs = monotonicMs();
      for (const connection of connections.values()) {
        observe(connection, nowMs);
        const { unreadSinceMs, keptOpenSinceMs } = connection;
        if (unreadSinceMs !== null && nowMs - unreadSinceMs >= limits.maxUnreadMs)
          end(connection, 'unread_answers');
        else if (keptOpenSinceMs !== null && nowMs - keptOpenSinceMs >= limits.maxKeptOpenMs)
          end(connection, 'kept_open');
      }
      endHeldMemory();
    },
  };
}

/** Notes whether the client has taken bytes since the last look. */
function observe(connection: Connection, nowMs: number): void {
  const { socket } = connection;
  const { taken, waiting } = writeProgress(socket);
  if (waiting === 0) connection.unreadSinceMs = null;
  else if (taken !== connection.taken || connection.unreadSinceMs === null) connection.unreadSinceMs = nowMs;
  connection.taken = taken;
  connection.keptOpenSinceMs = socket.writableFinished ? (connection.keptOpenSinceMs ?? nowMs) : null;
}

/**
 * The bytes that the operating system has accepted for the client, and the bytes that wait. Node has no public field for
 * them: `bytesWritten` of a socket includes bytes that wait. Its own socket timeout reads this one.
 */
function writeProgress(socket: Socket): { taken: number; waiting: number } {
  const handle = (socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null })._handle;
  if (!handle) return { taken: 0, waiting: 0 };
  return { taken: handle.bytesWritten - handle.writeQueueSize, waiting: handle.writeQueueSize };
}

function heldBytes({ socket, unanswered, receivedBefore }: Connection): number {
  let held = socket.writableLength;
  if (unanswered.size > 0) held += socket.bytesRead - receivedBefore + unanswered.size * requestOverheadBytes;
  // A response without a socket waits for the answers before it; the others write into their socket.
  for (const response of unanswered) if (response.socket === null) held += response.writableLength;
  return held;
}

function unreadSince({ unreadSinceMs }: Connection): number {
  return unreadSinceMs ?? Number.POSITIVE_INFINITY;
}

/**
 * Closes a response that waits for the answers before it. Node closes only the response that it is sending: the work for the
 * others would go on, with everything open.
 */
function closeQueued(response: ServerResponse): void {
  if (response.socket !== null || response.writableFinished) return;
  Object.defineProperty(response, 'closed', { value: true });
  response.emit('close');
}
