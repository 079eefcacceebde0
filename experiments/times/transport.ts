import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type GetStatusReply,
  PartStatus_State as PartState,
  StatusServiceService,
} from '@shelfwise/proto/runtime/v1/status';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { createGrpcServer } from '@shelfwise/runtime/grpc/server/grpc-server';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { defineTimes } from './define-times.ts';
import { measureInTurns, ownCpuMicros } from './rounds.ts';

type Call = () => Promise<unknown> | unknown;

/** A part of about 50 bytes, when encoded. */
const part = {
  name: 'daily run',
  state: PartState.OK,
  detail: 'read 1,234, due 0, late 0 today',
  is_embedded: true,
};

/** Client and server run in this process, as in the all-in-one start. */
export const times = defineTimes({
  name: 'transport',
  question:
    'What does a call between two services cost over gRPC on a port, on a unix socket, and in one process?',
  options: { ms: [600, 'the length of a round'], rounds: [7, 'rounds of each transport'] },
  async run({ ms, rounds }) {
    const columns = { 'calls a second': {}, 'us CPU': { digits: 1, isCompared: true } };
    for (const bytes of [1000, 100_000]) {
      const { calls, stop } = await createCalls(bytes);
      for (const callers of [1, 32]) {
        const cases = calls.map(([name, call]) => ({ name, measure: () => measure(call, callers, ms) }));
        const results = await measureInTurns(cases, { rounds, columns });
        results.print(`reply of ${bytes / 1000} KB, ${callers} ${callers === 1 ? 'caller' : 'callers'}`);
      }
      await stop();
    }
  },
});

async function createCalls(bytes: number) {
  const logger = createLogger({ name: 'transport-times', level: 'warn', destination: process.stderr });
  const folder = mkdtempSync(join(tmpdir(), 'shelfwise-transport-'));
  const partBytes = StatusServiceService.getStatus.responseSerialize({ parts: [part] }).length;
  const reply: GetStatusReply = { parts: Array.from({ length: Math.round(bytes / partBytes) }, () => part) };
  const servers = Array.from({ length: 2 }, () => {
    const server = createGrpcServer({ name: 'status', logger, metrics: createMetrics() });
    server.addService(StatusServiceService, { getStatus: async () => reply });
    return server;
  });
  const [server, unixServer] = servers as [(typeof servers)[number], (typeof servers)[number]];
  const addresses = [
    ['gRPC on a port', await server.listen('127.0.0.1:0')],
    ['gRPC on a unix socket', await unixServer.listen(`unix:${join(folder, 'status.sock')}`)],
    ['in process', server.inProcess],
  ] as const;
  const clients = addresses.map(([name, address]) => ({
    name,
    ...createGrpcClient({ service: StatusServiceService, name: 'status', address }),
  }));
  const calls = clients.map(({ name, client }): [name: string, call: Call] => [
    name,
    () => client.getStatus({}, { requestId: 'request-1', deadline: new Date(Date.now() + 10_000) }),
  ]);
  // What every transport has, without a call.
  calls.push(['encode and decode', () => encodeAndDecode(reply)]);
  const stop = async () => {
    for (const { close } of clients) close();
    await Promise.all(servers.map((one) => one.drain(1000)));
    rmSync(folder, { recursive: true });
  };
  return { calls, stop };
}

function encodeAndDecode(reply: GetStatusReply): GetStatusReply {
  const { requestSerialize, requestDeserialize, responseSerialize, responseDeserialize } =
    StatusServiceService.getStatus;
  requestDeserialize(requestSerialize({}));
  return responseDeserialize(responseSerialize(reply));
}

async function measure(call: Call, callers: number, roundMs: number) {
  const cpuBefore = ownCpuMicros();
  const startedAt = performance.now();
  let count = 0;
  const repeat = async () => {
    while (performance.now() - startedAt < roundMs) {
      await call();
      count++;
    }
  };
  await Promise.all(Array.from({ length: callers }, repeat));
  const seconds = (performance.now() - startedAt) / 1000;
  return { 'calls a second': count / seconds, 'us CPU': (ownCpuMicros() - cpuBefore) / count };
}
