/**
 * The cost of a call between two services: over gRPC on a loopback port and on a unix socket, and in the same process.
 * Client and server run in this process, as in the all-in-one start. The transports take turns in one run: trust the
 * ratios, not the times. "encode and decode" is the part that every transport has, without a call.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type GetStatusReply,
  PartStatus_State as PartState,
  StatusServiceService,
} from '@shelfwise/proto/runtime/v1/status';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { createGrpcServer } from '@shelfwise/runtime/grpc/grpc-server';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';

const { values } = parseArgs({
  options: {
    ms: { type: 'string', default: '600' },
    rounds: { type: 'string', default: '7' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(
    'Usage: node --import tsx --conditions=shelfwise-source experiments/transport-times.ts [--ms 600] [--rounds 7]',
  );
  process.exit(0);
}
const roundMs = Number(values.ms);
const rounds = Number(values.rounds);

type Call = () => Promise<unknown> | unknown;
type Measured = { perSecond: number; cpuMicros: number };

const logger = createLogger({ name: 'transport-times', level: 'warn', destination: process.stderr });
const folder = mkdtempSync(join(tmpdir(), 'shelfwise-transport-'));

/** A part of about 50 bytes, when encoded. */
const part = {
  name: 'daily run',
  state: PartState.OK,
  detail: 'read 1,234, due 0, late 0 today',
  is_embedded: true,
};

for (const bytes of [1000, 100_000]) {
  const { calls, stop } = await createCalls(bytes);
  for (const callers of [1, 32]) {
    console.log(`\nreply of ${bytes / 1000} KB, ${callers} ${callers === 1 ? 'caller' : 'callers'}`);
    print(await measureInTurns(calls, callers));
  }
  await stop();
}
rmSync(folder, { recursive: true });

async function createCalls(bytes: number) {
  const partBytes = StatusServiceService.getStatus.responseSerialize({ parts: [part] }).length;
  const reply: GetStatusReply = { parts: Array.from({ length: Math.round(bytes / partBytes) }, () => part) };
  const server = createGrpcServer({ name: 'status', logger, metrics: createMetrics() });
  server.addService(StatusServiceService, { getStatus: async () => reply });
  const unixServer = createGrpcServer({ name: 'status', logger, metrics: createMetrics() });
  unixServer.addService(StatusServiceService, { getStatus: async () => reply });
  const addresses = {
    'gRPC on a port': await server.listen('127.0.0.1:0'),
    'gRPC on a unix socket': await unixServer.listen(`unix:${join(folder, `${bytes}.sock`)}`),
    'in process': server.inProcess,
  };
  const clients = Object.entries(addresses).map(([name, address]) => ({
    name,
    ...createGrpcClient({ service: StatusServiceService, name: 'status', address }),
  }));
  const calls: Record<string, Call> = Object.fromEntries(
    clients.map(({ name, client }) => [
      name,
      () => client.getStatus({}, { requestId: 'request-1', deadline: new Date(Date.now() + 10_000) }),
    ]),
  );
  calls['encode and decode'] = () => encodeAndDecode(reply);
  const stop = async () => {
    for (const { close } of clients) close();
    await Promise.all([server.drain(1000), unixServer.drain(1000)]);
  };
  return { calls, stop };
}

function encodeAndDecode(reply: GetStatusReply): GetStatusReply {
  const { requestSerialize, requestDeserialize, responseSerialize, responseDeserialize } =
    StatusServiceService.getStatus;
  requestDeserialize(requestSerialize({}));
  return responseDeserialize(responseSerialize(reply));
}

/** Each round measures every call; the first round warms up. Returns the medians. */
async function measureInTurns(calls: Record<string, Call>, callers: number): Promise<Map<string, Measured>> {
  const results = new Map<string, Measured[]>();
  for (let round = 0; round <= rounds; round++)
    for (const [name, call] of Object.entries(calls)) {
      const measured = await measure(call, callers);
      if (round > 0) results.set(name, [...(results.get(name) ?? []), measured]);
    }
  return new Map(
    [...results].map(([name, all]) => [
      name,
      {
        perSecond: median(all.map(({ perSecond }) => perSecond)),
        cpuMicros: median(all.map(({ cpuMicros }) => cpuMicros)),
      },
    ]),
  );
}

async function measure(call: Call, callers: number): Promise<Measured> {
  const cpuBefore = process.cpuUsage();
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
  const { user, system } = process.cpuUsage(cpuBefore);
  return { perSecond: count / seconds, cpuMicros: (user + system) / count };
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function print(results: Map<string, Measured>): void {
  const base = results.get('gRPC on a port')?.cpuMicros ?? Number.NaN;
  for (const [name, { perSecond, cpuMicros }] of results)
    console.log(
      [
        name.padEnd(22),
        `${Math.round(perSecond)}/s`.padStart(9),
        `${cpuMicros.toFixed(1)} us CPU`.padStart(14),
        `x${(cpuMicros / base).toFixed(2)}`.padStart(7),
      ].join('  '),
    );
}
