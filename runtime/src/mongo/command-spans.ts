import type { MongoClient } from 'mongodb';
import type { Span, SpanAttributes, Tracing } from '../tracing/tracing.ts';

/** Signs of life, and the ends of sessions and cursors: no work of a request. */
const untraced: ReadonlySet<string> = new Set(['hello', 'ping', 'endSessions', 'killCursors']);

/**
 * Records a span for each command that the client sends as a part of another span, by the monitoring of the driver
 * (`monitorCommands`). The driver reports a command in the asynchronous context of its caller, also when it had to
 * wait for a connection. A span never has the contents of a command or a reply.
 */
export function recordCommandSpans(client: Pick<MongoClient, 'on'>, tracing: Tracing): void {
  const running = new Map<number, Span>();

  client.on('commandStarted', ({ requestId, commandName, databaseName, command, address }) => {
    if (untraced.has(commandName) || tracing.active() === null) return;
    const collection = collectionOf(commandName, command);
    const span = tracing.start({
      name: collection === undefined ? commandName : `${commandName} ${collection}`,
      kind: 'client',
      attributes: {
        'db.system.name': 'mongodb',
        'db.namespace': databaseName,
        'db.collection.name': collection,
        'db.operation.name': commandName,
        ...toServer(address),
      },
    });
    running.set(requestId, span);
  });

  const end = (requestId: number, failure?: Error & { code?: unknown }) => {
    const span = running.get(requestId);
    if (!span) return;
    running.delete(requestId);
    if (failure) {
      span.fail(failure.name);
      if (typeof failure.code === 'number') span.set({ 'db.response.status_code': String(failure.code) });
    }
    span.end();
  };
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure));
}

/** The embedded database has no address. */
function toServer(address: string): SpanAttributes {
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  return host === undefined ? {} : { 'server.address': host, 'server.port': Number(port) };
}

/** The first field of a command has its name, and mostly the collection as its value. */
function collectionOf(commandName: string, command: Readonly<Record<string, unknown>>): string | undefined {
  const named = commandName === 'getMore' ? command.collection : command[commandName];
  return typeof named === 'string' ? named : undefined;
}
