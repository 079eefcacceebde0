import { type ChannelOptions, type Client, connectivityState } from '@grpc/grpc-js';
import { acceptsFrequentPings } from '../frequent-pings.ts';

/** A frozen copy accepts connections, because its kernel does, and never says a word. A lost machine does not even do that. */
const connectMs = 2000;

/**
 * How long a connection is used, so that a new copy of a name gets calls soon. Its calls and it end long before the age at which a
 * server closes it.
 */
const usedForMs = 45_000;

/** A channel whose calls do not wait for copies that cannot be reached. */
export type WatchedChannel = {
  /** For one call, which calls `end` at its end. Null: no copy has answered for two seconds, and none does yet. */
  begin(): Client | null;
  end(client: Client): void;
  close(): void;
};

/**
 * The library lets calls wait up to their deadline while it connects, and it never gives up a connection that the other side
 * does not answer. This channel gives up after two seconds: calls that wait fail, further ones fail at once, and it connects
 * again until a copy answers. As soon as the peer says that it accepts frequent pings, it gets them.
 *
 * @param open a client with these options in addition to its own
 */
export function createWatchedChannel(
  open: (added: ChannelOptions) => Client,
  frequentPings: ChannelOptions,
  renewAfterMs = usedForMs,
): WatchedChannel {
  let added: ChannelOptions = {};
  let isClosed = false;
  let isUnreachable = false;
  let timer: NodeJS.Timeout | undefined;
  let current = open(added);
  let next: Client | undefined;
  /** Closed as soon as they have no calls. */
  const retired = new Set<Client>();
  const callsOf = new Map<Client, number>();
  const renewing = setInterval(renew, renewAfterMs).unref();
  follow(current);

  function follow(client: Client): void {
    if (isClosed || client !== current) return;
    const channel = client.getChannel();
    const state = channel.getConnectivityState(false);
    if (state === connectivityState.CONNECTING) timer ??= setTimeout(giveUp, connectMs).unref();
    else stopTimer();
    // After a failed attempt the library fails calls at once.
    if (state === connectivityState.READY || state === connectivityState.TRANSIENT_FAILURE)
      isUnreachable = false;
    if (state === connectivityState.READY && added !== frequentPings) void askForPings(client);
    channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, () => follow(client));
  }

  function giveUp(): void {
    isUnreachable = true;
    const previous = current;
    replaceBy(open(added));
    current.getChannel().getConnectivityState(true);
    // Its calls wait for a connection, and fail.
    previous.close();
  }

  function replaceBy(client: Client): void {
    stopTimer();
    current = client;
    follow(client);
  }

  function renew(): void {
    if (current.getChannel().getConnectivityState(false) === connectivityState.READY) replaceWhenReady(added);
  }

  /** The library drops the calls of a closing connection when it pings (https://github.com/grpc/grpc-node/issues/3068). */
  function retire(client: Client): void {
    retired.add(client);
    closeRetired(client);
  }

  function closeRetired(client: Client): void {
    if (!callsOf.has(client) && retired.delete(client)) client.close();
  }

  async function askForPings(client: Client): Promise<void> {
    if (!next && (await acceptsFrequentPings(client)) && client === current) replaceWhenReady(frequentPings);
  }

  /** Keeps the present client while the new one does not connect. */
  function replaceWhenReady(options: ChannelOptions): void {
    if (next || isClosed) return;
    const candidate = open(options);
    next = candidate;
    candidate.waitForReady(Date.now() + connectMs, (error) => {
      next = undefined;
      if (error || isClosed) return candidate.close();
      added = options;
      const previous = current;
      replaceBy(candidate);
      retire(previous);
    });
  }

  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    begin() {
      if (isUnreachable) return null;
      callsOf.set(current, (callsOf.get(current) ?? 0) + 1);
      return current;
    },
    end(client) {
      const left = (callsOf.get(client) ?? 0) - 1;
      if (left > 0) callsOf.set(client, left);
      else callsOf.delete(client);
      closeRetired(client);
    },
    close() {
      isClosed = true;
      clearInterval(renewing);
      stopTimer();
      for (const client of [current, ...retired]) client.close();
      next?.close();
    },
  };
}
