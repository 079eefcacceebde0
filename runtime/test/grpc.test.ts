import { PartStatus_State as PartState, StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { AppError, invalidParams } from '../src/errors.ts';
import { createGrpcClient } from '../src/grpc/grpc-client.ts';
import { createGrpcServer } from '../src/grpc/grpc-server.ts';
import type { CallContext, GrpcHandlers } from '../src/grpc/grpc-types.ts';
import { createMetrics } from '../src/metrics.ts';
import { createRecordingLogger } from './recording-logger.ts';

type Handlers = GrpcHandlers<typeof StatusServiceService>;

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A real server with one handler, and a real client. */
async function connect(getStatus: Handlers['getStatus']) {
  const { logger, lines } = createRecordingLogger();
  const server = createGrpcServer({ name: 'probe', logger, metrics: createMetrics() });
  server.addService(StatusServiceService, { getStatus });
  const address = await server.listen('127.0.0.1:0');
  const { client, close } = createGrpcClient({ service: StatusServiceService, name: 'probe', address });
  closing.push(() => server.drain(1000), close);
  return { client, lines, server, address };
}

const call = (ms = 2000) => ({ requestId: 'req-1', deadline: new Date(Date.now() + ms) });
const reply = { parts: [{ name: 'a', state: PartState.OK, detail: 'fine', is_embedded: true }] };

test('a call returns the reply of the handler and carries request id and deadline', async () => {
  let seen: CallContext | undefined;
  const { client } = await connect(async (_request, context) => {
    seen = context;
    return reply;
  });
  const deadline = new Date(Date.now() + 2000);
  expect(await client.getStatus({}, { requestId: 'req-7', deadline })).toEqual(reply);
  expect(seen?.requestId).toBe('req-7');
  expect(Math.abs((seen?.deadline.getTime() ?? 0) - deadline.getTime())).toBeLessThan(200);
});

test.each([
  ['the caller', 'caller-1'],
  ['no caller', undefined],
])('a call carries %s for whom the work is done, also through a second service', async (_whom, callerId) => {
  const seen: (string | undefined)[] = [];
  const inner = await connect(async (_request, context) => {
    seen.push(context.callerId);
    return reply;
  });
  const outer = await connect(async (request, context) => {
    seen.push(context.callerId);
    return inner.client.getStatus(request, context);
  });
  await outer.client.getStatus({}, { ...call(), callerId });
  expect(seen).toEqual([callerId, callerId]);
});

test('a handler tells before its reply that the work has started; a reply alone does not say so', async () => {
  let finish: (value: typeof reply) => void = () => {};
  const { client } = await connect(async (_request, { onStarted, requestId }) => {
    if (requestId === 'silent') return reply;
    onStarted?.();
    onStarted?.();
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  let startCount = 0;
  const onStarted = () => {
    startCount++;
    finish(reply);
  };
  expect(await client.getStatus({}, { ...call(), onStarted })).toEqual(reply);
  await client.getStatus({}, { ...call(), requestId: 'silent', onStarted });
  expect(startCount).toBe(1);
});

test('an error arrives with its code, message and field errors', async () => {
  const { client } = await connect(async () => {
    throw invalidParams({ color: 'is not a known color: «é»' });
  });
  const error = await client.getStatus({}, call()).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({
    code: 'INVALID_PARAMS',
    message: 'color is not a known color: «é»',
    details: { issues: { fieldErrors: { color: ['is not a known color: «é»'] } } },
  });
});

test('an unexpected failure reveals nothing to the caller and is logged in full', async () => {
  const { client, lines } = await connect(async () => {
    throw new Error('password in here');
  });
  const error = await client.getStatus({}, call()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'INTERNAL_ERROR' });
  expect(String((error as Error).message)).not.toMatch(/password/);
  expect(lines.join()).toMatch(/req-1.*password in here/);
});

test('a service that does not answer in time is SERVICE_UNAVAILABLE, and its handler is aborted', async () => {
  let notify: () => void = () => {};
  const aborted = new Promise<void>((resolve) => {
    notify = resolve;
  });
  const { client } = await connect(
    (_request, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          notify();
          reject(signal.reason);
        }),
      ),
  );
  await expect(client.getStatus({}, call(100))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await aborted;
});

test('a caller that cancels ends the call', async () => {
  const { client } = await connect(
    (_request, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const caller = new AbortController();
  const pending = client.getStatus({}, { ...call(), signal: caller.signal });
  caller.abort();
  await expect(pending).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a service that cannot be reached is SERVICE_UNAVAILABLE', async () => {
  const { client, close } = createGrpcClient({
    service: StatusServiceService,
    name: 'absent',
    address: '127.0.0.1:1',
  });
  closing.push(close);
  await expect(client.getStatus({}, call(500))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('draining lets an open call finish', async () => {
  const finish: (() => void)[] = [];
  let hasArrived: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    hasArrived = resolve;
  });
  const { client, server } = await connect(
    () =>
      new Promise((resolve) => {
        finish.push(() => resolve(reply));
        hasArrived();
      }),
  );
  const pending = client.getStatus({}, call());
  await arrived;
  const drained = server.drain(2000);
  finish[0]?.();
  expect(await pending).toEqual(reply);
  await drained;
});

test('a lost database is SERVICE_UNAVAILABLE, without the message of the driver', async () => {
  const { client, lines } = await connect(async () => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:27017'), { name: 'MongoNetworkError' });
  });
  const error = await client.getStatus({}, call()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(String((error as Error).message)).not.toContain('10.0.0.7');
  expect(lines.join()).toContain('10.0.0.7');
});

test('a port in use is reported in one sentence that names the setting', async () => {
  const { address } = await connect(async () => reply);
  const { logger } = createRecordingLogger();
  const second = createGrpcServer({ name: 'probe', logger, metrics: createMetrics() });
  await expect(second.listen(address)).rejects.toThrow(
    `${address} is in use. Set GRPC_ADDRESS to another one.`,
  );
});

test('every call is logged with its request id', async () => {
  const { client, lines } = await connect(async () => reply);
  await client.getStatus({}, { ...call(), requestId: 'req-9' });
  const line = lines.map((one) => JSON.parse(one)).find(({ msg }) => msg === 'call');
  expect(line).toMatchObject({ level: 30, service: 'probe', request_id: 'req-9', outcome: 'OK' });
});
