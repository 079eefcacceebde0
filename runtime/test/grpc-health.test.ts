import { Client, credentials, status } from '@grpc/grpc-js';
import {
  type HealthCheckResponse,
  HealthService,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@shelfwise/proto/grpc-health';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { until } from '../../testing/manual-clock.ts';
import { createGrpcServer } from '../src/grpc/grpc-server.ts';
import { createMetrics } from '../src/metrics.ts';
import { createRecordingLogger } from './recording-logger.ts';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function boot() {
  const { logger } = createRecordingLogger();
  const server = createGrpcServer({ name: 'probe', logger, metrics: createMetrics() });
  server.addService(StatusServiceService, { getStatus: async () => ({ parts: [] }) });
  const client = new Client(await server.listen('127.0.0.1:0'), credentials.createInsecure());
  closing.push(() => server.drain(1000));
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
  const startedAt = performance.now();
  await server.drain(30_000);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  await until(() => [whole, one, unknown].every(({ received }) => received.includes('end')));
  expect(whole.received).toEqual([ServingStatus.SERVING, ServingStatus.NOT_SERVING, 'end']);
  expect(one.received).toEqual(whole.received);
  expect(unknown.received).toEqual([ServingStatus.SERVICE_UNKNOWN, 'end']);
});
