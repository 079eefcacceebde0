import { Client, credentials, status } from '@grpc/grpc-js';
import {
  type HealthCheckResponse,
  HealthService,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@shelfwise/proto/grpc-health';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { until } from '../../testing/until.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { createGrpcServer } from '../src/grpc/server/grpc-server.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { PartState, type StatusCheck } from '../src/process/status.ts';
import { createRecordingLogger } from './recording-logger.ts';

const closing = useClosing();

async function boot(ownNeeds?: StatusCheck, healthKeptMs = 5) {
  const { logger } = createRecordingLogger();
  const server = createGrpcServer({
    name: 'probe',
    logger,
    metrics: createMetrics(),
    ownNeeds,
    healthKeptMs,
  });
  server.addService(StatusServiceService, { getStatus: async () => ({ parts: [] }) });
  const client = new Client(await server.listen('127.0.0.1:0'), credentials.createInsecure());
  closing.push(() => server.drain(10));
  closing.push(() => client.close());
  const { check, watch } = HealthService;
  return {
    server,
    check: (service: string) =>
      new Promise((resolve, reject) =>
        client.makeUnaryRequest(
          check.path,
          check.requestSerialize,
          check.responseDeserialize,
          { service },
          (error, reply) => (error ? reject(error) : resolve(reply?.status)),
        ),
      ),
    /** Everything that a watch receives until its server ends it. */
    watch(service: string) {
      const { path, requestSerialize, responseDeserialize } = watch;
      const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service });
      const received: unknown[] = [];
      call.on('data', ({ status: state }: HealthCheckResponse) => received.push(state));
      call.on('end', () => received.push('end'));
      call.on('error', () => {});
      return { received, cancel: () => call.cancel() };
    },
  };
}

test.each(['', 'shelfwise.runtime.v1.StatusService'])(
  'a server that runs is SERVING: "%s"',
  async (service) => {
    const { check } = await boot();
    expect(await check(service)).toBe(ServingStatus.SERVING);
  },
);

test('a service that the server does not have is NOT_FOUND', async () => {
  const { check } = await boot();
  await expect(check('other.v1.Service')).rejects.toMatchObject({ code: status.NOT_FOUND });
});

test('a peer that watches a service learns that it drains, and does not hold up the drain', async () => {
  const { server, watch } = await boot();
  const whole = watch('');
  const one = watch('shelfwise.runtime.v1.StatusService');
  const unknown = watch('other.v1.Service');
  const left = watch('');
  await until(() => [whole, one, unknown, left].every(({ received }) => received.length === 1));
  left.cancel();
  // The test ends long before its time.
  await server.drain(86_400_000);
  await until(() => [whole, one, unknown].every(({ received }) => received.includes('end')));
  expect(whole.received).toEqual([ServingStatus.SERVING, ServingStatus.NOT_SERVING, 'end']);
  expect(one.received).toEqual(whole.received);
  expect(unknown.received).toEqual([ServingStatus.SERVICE_UNKNOWN, 'end']);
});

describe('a server whose own database', () => {
  const service = 'shelfwise.runtime.v1.StatusService';

  /** A database whose state a test sets. */
  function createDatabase() {
    const database = { state: PartState.OK as PartState, checks: 0 };
    const check: StatusCheck = async () => {
      database.checks++;
      return { name: 'database', state: database.state, detail: '', is_embedded: false };
    };
    return { database, check };
  }

  test('is down is NOT_SERVING as a whole and by service, until it answers again', async () => {
    const { database, check: ownNeeds } = createDatabase();
    const { check } = await boot(ownNeeds);
    database.state = PartState.DOWN;
    expect([await check(''), await check(service)]).toEqual([
      ServingStatus.NOT_SERVING,
      ServingStatus.NOT_SERVING,
    ]);
    database.state = PartState.OK;
    await until(async () => (await check(service)) === ServingStatus.SERVING);
  });

  test('is only slow is SERVING', async () => {
    const { database, check: ownNeeds } = createDatabase();
    const { check } = await boot(ownNeeds);
    database.state = PartState.DEGRADED;
    expect(await check('')).toBe(ServingStatus.SERVING);
  });

  test('does not answer the check is SERVING, after 600 ms', async () => {
    const { check } = await boot(() => new Promise(() => {}));
    /** Its answer comes after those of earlier checks, if they have one. */
    const checkUnknown = () => check('other.v1.Service').catch(() => {});
    await checkUnknown();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'Date'] });
    try {
      let state: unknown;
      const answer = check('').then((received) => {
        state = received;
      });
      await checkUnknown();
      await jest.advanceTimersByTimeAsync(599);
      await checkUnknown();
      expect(state).toBeUndefined();
      await jest.advanceTimersByTimeAsync(1);
      await answer;
      expect(state).toBe(ServingStatus.SERVING);
    } finally {
      jest.useRealTimers();
    }
  });

  test('is checked once for many probes at the same time', async () => {
    const { database, check: ownNeeds } = createDatabase();
    let answer: () => void = () => {};
    const slow = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { check } = await boot(async () => {
      await slow;
      return ownNeeds();
    }, 60_000);
    const probes = Array.from({ length: 20 }, () => check(''));
    answer();
    expect(new Set(await Promise.all(probes))).toEqual(new Set([ServingStatus.SERVING]));
    expect(database.checks).toBe(1);
  });

  test('changes its state is watched', async () => {
    const { database, check: ownNeeds } = createDatabase();
    const { watch, server } = await boot(ownNeeds);
    const { received } = watch(service);
    await until(() => received.length === 1);
    database.state = PartState.DOWN;
    await until(() => received.length === 2);
    database.state = PartState.OK;
    await until(() => received.length === 3);
    await server.drain(60_000);
    await until(() => received.includes('end'));
    expect(received).toEqual([
      ServingStatus.SERVING,
      ServingStatus.NOT_SERVING,
      ServingStatus.SERVING,
      ServingStatus.NOT_SERVING,
      'end',
    ]);
  });
});
