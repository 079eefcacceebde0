import { Client, credentials, Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import { countPings } from '../../testing/count-pings.ts';
import { until } from '../../testing/until.ts';
import { createWatchedChannel } from '../src/grpc/client/watched-channel.ts';

const asIs = (message: Buffer) => message;
const path = '/test.Slow/answer';
const codec = {
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
};

test('a call outlives the connections that are renewed meanwhile, however often they are pinged', async () => {
  const pingsSent = await countPings();
  const replies: sendUnaryData<Buffer>[] = [];
  const server = new Server();
  server.addService(
    { answer: { path, requestStream: false, responseStream: false, ...codec } },
    { answer: (_: unknown, reply: sendUnaryData<Buffer>) => replies.push(reply) },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const pings = { 'grpc.keepalive_time_ms': 50, 'grpc.keepalive_permit_without_calls': 1 };
  let opened = 0;
  const open = () => {
    opened++;
    return new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
      ...pings,
      'grpc.use_local_subchannel_pool': 1,
    });
  };
  const channel = createWatchedChannel(open, pings, 50);
  const call = () =>
    new Promise<string>((resolve) => {
      const client = channel.begin() as Client;
      client.makeUnaryRequest(path, asIs, asIs, Buffer.from(''), (error, reply) => {
        channel.end(client);
        resolve(error?.message ?? String(reply));
      });
    });
  const answers: Promise<string>[] = [];
  const begin = async () => {
    const openedBefore = opened;
    answers.push(call());
    await until(() => opened > openedBefore);
  };
  for (let begun = 0; begun < 6; begun++) await begin();
  await until(() => replies.length === answers.length);
  const pingsBefore = pingsSent();
  await until(() => pingsSent() >= pingsBefore + 2 * answers.length);
  for (const reply of replies) reply(null, Buffer.from('done'));
  expect(await Promise.all(answers)).toEqual(Array(6).fill('done'));
  channel.close();
  server.forceShutdown();
});
