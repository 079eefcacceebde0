import { type ChannelOptions, type Client, connectivityState } from '@grpc/grpc-js';
import { acceptsFrequentPings } from './frequent-pings.ts';

/** A frozen copy accepts connections, because its kernel does, and never says a word. A lost machine does not even do that. */
const connectMs = 2000;

/** A channel whose calls do not wait for copies that cannot be reached. */
export type WatchedChannel = {
  /** For one call. Null: no copy has answered for two seconds, and none does yet. */
  client(): Client | null;
  close(): void;
};

/**
 * The library lets calls wait up to their deadline while it connects, and it never gives up a connection that the other side
 * does not answer. This channel gives up after two seconds: calls that wait fail, further ones fail at once, and it connects
 * anew until a copy answers. As soon as the peer says that it accepts frequent pings, it gets them.
 *
 * @param open a client with these options in addition to its own
 */
export function createWatchedChannel(
  open: (added: ChannelOptions) => Client,
  frequentPings: ChannelOptions,
): WatchedChannel {
  let added: ChannelOptions = {};
  let isClosed = false;
  let isUnreachable = false;
  let timer: NodeJS.Timeout | undefined;
  let current = open(added);
  let next: Client | undefined;
  const retired = new Set<Client>();
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

  /** A call may have been handed to it just now. Calls that a copy has begun go on after it is closed. */
  function retire(client: Client): void {
    retired.add(client);
    setTimeout(() => retired.delete(client) && client.close(), connectMs).unref();
  }

  async function askForPings(client: Client): Promise<void> {
    if (next || !(await acceptsFrequentPings(client)) || isClosed || client !== current || next) return;
    const candidate = open(frequentPings);
    next = candidate;
    candidate.waitForReady(Date.now() + connectMs, (error) => {
      next = undefined;
      if (error || isClosed) return candidate.close();
      added = frequentPings;
      retire(current);
      replaceBy(candidate);
    });
  }

  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    client: () => (isUnreachable ? null : current),
    close() {
      isClosed = true;
      stopTimer();
      for (const client of [current, ...retired]) client.close();
      next?.close();
    },
  };
}
