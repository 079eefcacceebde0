import { promises as dns } from 'node:dns';
import { credentials } from '@grpc/grpc-js';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { callWithin } from '../../testing/call-within.ts';
import { countPings } from '../../testing/count-pings.ts';
import { until } from '../../testing/until.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { AppError } from '../src/errors.ts';
import { createChannelOptions } from '../src/grpc/client/channel-options.ts';
import { createGrpcChannels } from '../src/grpc/client/grpc-channels.ts';
import { createGrpcClient } from '../src/grpc/client/grpc-client.ts';
import { createGrpcServer } from '../src/grpc/server/grpc-server.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { createRecordingLogger } from './recording-logger.ts';

const closing = useClosing();

/** A copy of the service, which counts its calls. */
async function startCopy(
  address = '127.0.0.1:0',
  options: { maxConnectionAgeMs?: number; error?: AppError; work?: () => Promise<void> } = {},
) {
  const { logger } = createRecordingLogger();
  const copy = { calls: 0 };
  const server = createGrpcServer({ name: 'probe', logger, metrics: createMetrics(), ...options });
  server.addService(StatusServiceService, {
    getStatus: async () => {
      copy.calls++;
      await options.work?.();
      if (options.error) throw options.error;
      return { parts: [] };
    },
  });
  const bound = await server.listen(address);
  const stop = () => server.drain(60_000);
  closing.push(stop);
  return { copy, address: bound, stop };
}

function connect(address: string) {
  const { client, close } = createGrpcClient({ service: StatusServiceService, name: 'probe', address });
  closing.push(close);
  return client;
}

test('the calls to several addresses take turns', async () => {
  const copies = [await startCopy(), await startCopy(), await startCopy()];
  const client = connect(copies.map(({ address }) => address).join(','));
  await until(async () => {
    await client.getStatus({}, callWithin());
    return copies.every(({ copy }) => copy.calls > 1);
  });
  for (const { copy } of copies) copy.calls = 0;
  for (let i = 0; i < 60; i++) await client.getStatus({}, callWithin());
  expect(copies.map(({ copy }) => copy.calls)).toEqual([20, 20, 20]);
});

test('a copy that is missing is left out, and gets calls again once it runs', async () => {
  const [first, second] = [await startCopy(), await startCopy()];
  await second.stop();
  const client = connect(`${first.address},${second.address}`);
  for (let i = 0; i < 20; i++) await client.getStatus({}, callWithin());
  expect(first.copy.calls).toBe(20);
  const back = await startCopy(second.address);
  await until(async () => {
    await client.getStatus({}, callWithin());
    return back.copy.calls > 0;
  });
});

test('a copy that stops ends its open calls, however often it is pinged, and refuses others, which another copy answers', async () => {
  const pings = await countPings();
  let finish = () => {};
  const open = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const stopping = await startCopy('127.0.0.1:0', { work: () => open });
  const other = await startCopy();
  const client = connect(`${stopping.address},${other.address}`);
  const first: Promise<unknown>[] = [client.getStatus({}, callWithin())];
  // Then the client knows that it may ping twice a second, and has connected anew.
  await until(() => pings() > 0);
  await until(async () => {
    first.push(client.getStatus({}, callWithin()));
    return stopping.copy.calls > 3 && other.copy.calls > 3;
  });
  await until(() => stopping.copy.calls + other.copy.calls === first.length);
  const begun = stopping.copy.calls + other.copy.calls;
  const stopped = stopping.stop();
  for (let i = 0; i < 40; i++) await client.getStatus({}, callWithin());
  // Each of the two channels has a connection to each copy.
  const pingsBefore = pings();
  await until(() => pings() >= pingsBefore + 2 * 4);
  finish();
  await Promise.all(first);
  await stopped;
  // A call that had been dropped would have been sent again.
  expect(stopping.copy.calls + other.copy.calls).toBe(begun + 40);
});

test('connections end at their age without a failed call, and a copy that the name has got since gets calls', async () => {
  const maxConnectionAgeMs = 100;
  const old = await startCopy('127.0.0.1:0', { maxConnectionAgeMs });
  const port = old.address.split(':')[1];
  const copies = ['127.0.0.1'];
  const lookup = jest.spyOn(dns, 'lookup') as unknown as jest.SpyInstance<Promise<unknown>, [string]>;
  closing.push(() => lookup.mockRestore());
  lookup.mockImplementation(async () => copies.map((address) => ({ address, family: 4 })));
  const { send, close } = createGrpcChannels(
    `copies.internal:${port}`,
    { credentials: credentials.createInsecure(), secret: null },
    { ...createChannelOptions(StatusServiceService, {}), 'grpc.dns_min_time_between_resolutions_ms': 20 },
  );
  closing.push(close);
  const { path } = StatusServiceService.getStatus;
  const getStatus = () => send(path, Buffer.alloc(0), callWithin());
  await getStatus();
  const added = await startCopy(`127.0.0.2:${port}`, { maxConnectionAgeMs });
  copies.push('127.0.0.2');
  await until(async () => {
    await Promise.all(Array.from({ length: 10 }, getStatus));
    return added.copy.calls > 100;
  });
  expect(lookup).toHaveBeenCalledWith('copies.internal', { all: true });
});

test('a call that a service has answered with an error is not repeated', async () => {
  const error = new AppError('SERVICE_UNAVAILABLE', 'Too many calls wait.');
  const { address, copy } = await startCopy('127.0.0.1:0', { error });
  await expect(connect(address).getStatus({}, callWithin())).rejects.toThrow('Too many calls wait.');
  expect(copy.calls).toBe(1);
});
