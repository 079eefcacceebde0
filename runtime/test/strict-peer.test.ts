import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import {
  HealthCheckResponse,
  HealthService,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@shelfwise/proto/grpc-health';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { callWithin } from '../../testing/call-within.ts';
import { until } from '../../testing/until.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { AppError } from '../src/errors.ts';
import { createChannelOptions } from '../src/grpc/client/channel-options.ts';
import { createGrpcClient } from '../src/grpc/client/grpc-client.ts';

const closing = useClosing();

/**
 * A server that limits pings as most gRPC servers do by default: it closes the connection at the fourth ping since it last sent
 * anything, or at the third without an open call. The event `cut` of a stream ends its connection, as when the process is killed;
 * a stream gets the event `ping` for each ping while it is open.
 */
async function startStrictServer(onCall: (stream: ServerHttp2Stream, path: string | undefined) => void) {
  const seen = { pings: 0, connections: 0, isStricken: false };
  const server = createServer();
  const sessions = new Set<ServerHttp2Session>();
  let lastSocket: Socket | undefined;
  // Before the library, which then opens the session.
  server.prependListener('connection', (socket: Socket) => {
    lastSocket = socket;
  });
  server.on('session', (session) => {
    const socket = lastSocket;
    sessions.add(session);
    seen.connections++;
    let strikes = 0;
    const openCalls = new Set<ServerHttp2Stream>();
    session.on('ping', () => {
      seen.pings++;
      strikes++;
      if (strikes <= (openCalls.size > 0 ? 3 : 2)) {
        for (const stream of openCalls) stream.emit('ping');
        return;
      }
      seen.isStricken = true;
      session.destroy();
    });
    session.on('stream', (stream, headers) => {
      openCalls.add(stream);
      stream.on('close', () => openCalls.delete(stream));
      stream.on('error', () => {});
      stream.on('cut', () => socket?.destroy());
      stream.on('answer', () => {
        strikes = 0;
      });
      onCall(stream, headers[':path']);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { seen, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Sends a reply, by default an empty one. */
function answer(stream: ServerHttp2Stream, message = Buffer.alloc(0)): void {
  stream.emit('answer');
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]));
}

function connect(address: string, longestCallMs: number) {
  const { client, close } = createGrpcClient({
    service: StatusServiceService,
    name: 'probe',
    address,
    longestCallMs,
  });
  closing.push(close);
  return client;
}

test('a strict peer accepts the pings of a call that waits as long as a call may', async () => {
  const longestCallMs = 200;
  const pingEveryMs = createChannelOptions(StatusServiceService, { longestCallMs })['grpc.keepalive_time_ms'];
  const pingsOfCall = Math.floor(longestCallMs / Number(pingEveryMs));
  const { seen, address } = await startStrictServer((stream) => {
    let pings = 0;
    stream.on('ping', () => ++pings === pingsOfCall && answer(stream));
  });
  const client = connect(address, longestCallMs);
  // Alternates between two connections.
  for (let i = 0; i < 4; i++) expect(await client.getStatus({}, callWithin())).toEqual({ parts: [] });
  expect(seen).toMatchObject({ isStricken: false, connections: 2 });
  expect(seen.pings).toBeGreaterThanOrEqual(4 * pingsOfCall);
});

test('a peer that says that it accepts frequent pings gets them, also without a call', async () => {
  const serving = Buffer.from(HealthCheckResponse.encode({ status: ServingStatus.SERVING }).finish());
  const { seen, address } = await startStrictServer((stream, path) =>
    answer(stream, path === HealthService.check.path ? serving : undefined),
  );
  const client = connect(address, 60_000);
  await client.getStatus({}, callWithin());
  await until(() => seen.isStricken);
});

test.each([
  ['with its connection', (stream: ServerHttp2Stream) => stream.emit('cut')],
  ['without a status', (stream: ServerHttp2Stream) => stream.close()],
])('a read whose reply ends %s is sent again, three times in all', async (_, cut) => {
  let calls = 0;
  let cutReplies = 2;
  const { address } = await startStrictServer((stream, path) => {
    if (path !== StatusServiceService.getStatus.path) return answer(stream);
    calls++;
    if (calls > cutReplies) return answer(stream);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    // An empty message.
    stream.write(Buffer.alloc(5), () => cut(stream));
  });
  const client = connect(address, 60_000);
  expect(await client.getStatus({}, callWithin())).toEqual({ parts: [] });
  expect(calls).toBe(3);
  [calls, cutReplies] = [0, 5];
  await expect(client.getStatus({}, callWithin())).rejects.toBeInstanceOf(AppError);
  expect(calls).toBe(3);
});
