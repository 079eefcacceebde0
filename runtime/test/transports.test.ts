import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type GetStatusReply,
  PartStatus_State as PartState,
  StatusServiceService,
} from '@shelfwise/proto/runtime/v1/status';
import { callWithin } from '../../testing/call-within.ts';
import { until } from '../../testing/until.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { AppError, type ErrorDetails, invalidParams } from '../src/errors.ts';
import { createGrpcClient } from '../src/grpc/client/grpc-client.ts';
import type { CallContext, GrpcHandlers, ServiceAddress, UnaryMethod } from '../src/grpc/grpc-types.ts';
import { maxMessageBytes } from '../src/grpc/message-size.ts';
import { createGrpcServer } from '../src/grpc/server/grpc-server.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { createRecordingLogger } from './recording-logger.ts';

/** One RPC that answers with bytes, and cannot encode an empty message. */
const echo: UnaryMethod<Buffer, Buffer> = {
  path: '/probe.v1.EchoService/Echo',
  requestStream: false,
  responseStream: false,
  requestSerialize: copyBytes,
  requestDeserialize: copyBytes,
  responseSerialize: copyBytes,
  responseDeserialize: copyBytes,
};
const echoService = { echo };
const askForLarge = Buffer.from('a reply that is too large');
const tooLarge = Buffer.alloc(maxMessageBytes + 1);

function copyBytes(bytes: Buffer): Buffer {
  if (bytes.length === 0) throw new Error('cannot encode nothing');
  // Tests of large messages look at the size only, and a copy takes long.
  return bytes.length > 1_000_000 ? bytes : Buffer.from(bytes);
}

type GetStatus = GrpcHandlers<typeof StatusServiceService>['getStatus'];

const closing = useClosing();

const transports = ['gRPC on a port', 'gRPC on a unix socket', 'in process'] as const;

describe.each(transports)('%s', (transport) => {
  /** A server with an echo and this handler, not started, and its client. */
  async function prepare(getStatus: GetStatus = async () => reply) {
    const { logger, lines } = createRecordingLogger();
    const metrics = createMetrics();
    const server = createGrpcServer({ name: 'probe', logger, metrics });
    server.addService(StatusServiceService, { getStatus });
    server.addService(echoService, { echo: async (bytes) => (bytes.equals(askForLarge) ? tooLarge : bytes) });
    const listenAddress = await chooseAddress(transport);
    const connect = <Service extends typeof StatusServiceService | typeof echoService>(service: Service) => {
      const address: ServiceAddress = listenAddress ?? server.inProcess;
      const { client, close } = createGrpcClient({ service, name: 'probe', address, metrics });
      closing.push(close);
      return { client, close };
    };
    const { client, close } = connect(StatusServiceService);
    const { client: echoClient } = connect(echoService);
    const start = () => server.listen(listenAddress);
    return { server, start, client, close, echo: echoClient.echo, lines, metrics };
  }

  async function boot(getStatus?: GetStatus) {
    const prepared = await prepare(getStatus);
    await prepared.start();
    closing.push(() => prepared.server.drain(10));
    return prepared;
  }

  test('a call returns the reply of the handler and carries request id and deadline', async () => {
    let seen: CallContext | undefined;
    const { client } = await boot(async (_request, context) => {
      seen = context;
      return reply;
    });
    const { deadline } = callWithin(3_600_000);
    expect(await client.getStatus({}, { requestId: 'req-7', deadline })).toEqual(reply);
    expect(seen?.requestId).toBe('req-7');
    // A deadline is sent as the time that is left, so the way adds to it: less than a minute of the hour.
    expect(Math.abs((seen?.deadline.getTime() ?? 0) - deadline.getTime())).toBeLessThan(60_000);
    expect(seen?.deadline).not.toBe(deadline);
  });

  test('a request id that a header cannot carry arrives with other characters', async () => {
    let seen = '';
    const { client } = await boot(async (_request, { requestId }) => {
      seen = requestId;
      return reply;
    });
    await client.getStatus({}, { ...call(), requestId: 'é\n1' });
    expect(seen).toBe('??1');
  });

  test.each([
    ['the caller', 'caller-1'],
    ['no caller', undefined],
  ])(
    'a call carries %s for whom the work is done, also through a second service',
    async (_whom, callerId) => {
      const seen: (string | undefined)[] = [];
      const inner = await boot(async (_request, context) => {
        seen.push(context.callerId);
        return reply;
      });
      const outer = await boot(async (request, context) => {
        seen.push(context.callerId);
        return inner.client.getStatus(request, context);
      });
      await outer.client.getStatus({}, { ...call(), callerId });
      expect(seen).toEqual([callerId, callerId]);
    },
  );

  test('a handler tells before its reply that the work has started; a reply alone does not say so', async () => {
    const steps: string[] = [];
    let finish: (value: typeof reply) => void = () => {};
    const { client } = await boot(async (_request, { onStarted, requestId }) => {
      if (requestId === 'silent') return reply;
      onStarted?.();
      onStarted?.();
      steps.push('told');
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const onStarted = () => {
      steps.push('started');
      finish(reply);
    };
    expect(await client.getStatus({}, { ...call(), onStarted })).toEqual(reply);
    await client.getStatus({}, { ...call(), requestId: 'silent', onStarted });
    expect(steps).toEqual(['told', 'started']);
  });

  test('a handler that tells it and returns at once, or tells it after the reply, harms nothing', async () => {
    let late: (() => void) | undefined;
    let startCount = 0;
    const { client } = await boot(async (_request, { onStarted, requestId }) => {
      if (requestId === 'late') late = onStarted;
      else onStarted?.();
      return reply;
    });
    const onStarted = () => {
      startCount++;
    };
    await client.getStatus({}, { ...call(), onStarted });
    expect(startCount).toBe(1);
    await client.getStatus({}, { ...call(), requestId: 'late', onStarted });
    late?.();
    await client.getStatus({}, call());
    expect(startCount).toBe(1);
  });

  test('messages are encoded: nothing is shared, and what the contract does not have is dropped', async () => {
    const part = {
      name: 'a',
      state: PartState.OK,
      detail: 'fine',
      is_embedded: true,
      pause: null,
      secret: 'x',
    };
    const answered: GetStatusReply = { parts: [part] };
    let request: object | undefined;
    const { client } = await boot(async (received) => {
      request = received;
      return answered;
    });
    const sent = { secret: 'x' };
    const received = await client.getStatus(sent, call());
    expect(received).toEqual(reply);
    expect(received.parts).not.toBe(answered.parts);
    expect(request).toEqual({});
    expect(request).not.toBe(sent);
  });

  test('the request is encoded when the call is made, and the handler runs later', async () => {
    const bytes = Buffer.from('before');
    let isCalled = false;
    const { client, echo } = await boot(async () => {
      isCalled = true;
      return reply;
    });
    const pending = client.getStatus({}, call());
    expect(isCalled).toBe(false);
    await pending;
    const echoed = echo(bytes, call());
    bytes.write('after!');
    expect(String(await echoed)).toBe('before');
  });

  test('an error arrives with its code, message and details, as a copy', async () => {
    const thrown = invalidParams({ color: 'is not a known color: «é»' });
    const { client } = await boot(async () => {
      throw thrown;
    });
    const error = await rejection(client.getStatus({}, call()));
    expect(error).toBeInstanceOf(AppError);
    expect(error).not.toBe(thrown);
    expect(error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'color is not a known color: «é»',
      details: { issues: { fieldErrors: { color: ['is not a known color: «é»'] } } },
    });
    expect(error.details).not.toBe(thrown.details);
    expect(error.cause).toMatchObject({ message: '3 INVALID_ARGUMENT: color is not a known color: «é»' });
  });

  test.each([
    ['a message with half of a surrogate pair', new AppError('DUPLICATE', 'cut \ud83d'), 'cut \ufffd'],
    ['a message over 2,000 characters', new AppError('DUPLICATE', '€'.repeat(70_000)), '€'.repeat(2000)],
    [
      'details over 16 KB',
      new AppError('DUPLICATE', 'why', { details: detailsOf('x'.repeat(100_000)) }),
      'why',
    ],
  ])('%s arrives, cut to what gRPC can carry', async (_name, thrown, message) => {
    const { client, echo } = await boot(async () => {
      throw thrown;
    });
    const error = await rejection(client.getStatus({}, call()));
    expect(error).toMatchObject({ code: 'DUPLICATE', message, details: undefined });
    expect(String(await echo(Buffer.from('still here'), call()))).toBe('still here');
  });

  test('the longest message and the largest details that are sent arrive together', async () => {
    const details = detailsOf('x'.repeat(15_900));
    const { client } = await boot(async () => {
      throw new AppError('DUPLICATE', '€'.repeat(2000), { details });
    });
    expect(await rejection(client.getStatus({}, call()))).toMatchObject({
      message: '€'.repeat(2000),
      details,
    });
  });

  const circular = detailsOf('');
  Object.assign(circular, { circular });
  const unencodable = new AppError('DUPLICATE', 'why', { details: circular });
  test.each<[string, GetStatus]>([
    ['throws before it returns a promise', () => fail(new Error('at once'))],
    ['throws nothing useful', () => fail(undefined)],
    ['throws an error that cannot be encoded', () => Promise.reject(unencodable)],
    ['returns a reply that cannot be encoded', async () => ({ parts: 7 }) as unknown as GetStatusReply],
  ])('a handler that %s is INTERNAL_ERROR, logged once, and the service goes on', async (_name, handler) => {
    const { client, echo, lines } = await boot(handler);
    expect(await rejection(client.getStatus({}, call()))).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'Something went wrong on our side. Try again later.',
    });
    const errors = lines.filter((line) => JSON.parse(line).msg === 'call failed');
    expect(errors).toHaveLength(1);
    expect(String(await echo(Buffer.from('still here'), call()))).toBe('still here');
  });

  test('a lost database is SERVICE_UNAVAILABLE, without the message of the driver', async () => {
    const { client, lines } = await boot(async () => {
      throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:27017'), { name: 'MongoNetworkError' });
    });
    const error = await rejection(client.getStatus({}, call()));
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(error.message).not.toContain('10.0.0.7');
    expect(lines.join()).toContain('10.0.0.7');
  });

  test('a request or reply that cannot be encoded, or is over 32 MiB, is INTERNAL_ERROR, and the service goes on', async () => {
    const { echo, lines } = await boot();
    const failed = { code: 'INTERNAL_ERROR', message: 'The probe service failed. Try again later.' };
    expect(await rejection(echo(Buffer.alloc(0), call()))).toMatchObject(failed);
    expect(await rejection(echo(tooLarge, call()))).toMatchObject(failed);
    expect(lines).toEqual([]);
    expect(await rejection(echo(askForLarge, call()))).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(lines.join()).toMatch(/the message has \d+ bytes, over the limit of 33554432/);
    expect((await echo(tooLarge.subarray(1), call())).length).toBe(maxMessageBytes);
  });

  test('a handler that does not answer in time is SERVICE_UNAVAILABLE, and its signal fires', async () => {
    const { getStatus, reason, arrivals } = hangingHandler();
    const { client } = await boot(getStatus);
    // On a busy machine a short deadline may pass on the way.
    for (let ms = 50; arrivals() === 0; ms *= 2)
      expect(await rejection(client.getStatus({}, call(ms)))).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: 'The probe service did not answer in time. Try again.',
        cause: { message: expect.stringMatching(/^4 DEADLINE_EXCEEDED: /) },
      });
    expect(await reason).toMatchObject(callerLeft);
  });

  test('a caller that cancels ends the call, and the signal of the handler fires', async () => {
    const { getStatus, reason, hasArrived } = hangingHandler();
    const { client } = await boot(getStatus);
    const caller = new AbortController();
    const pending = rejection(client.getStatus({}, { ...call(), signal: caller.signal }));
    await hasArrived;
    caller.abort(new Error('the reason of the caller stays with the caller'));
    expect(await pending).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The probe service cannot be reached. Try again.',
      cause: { message: expect.stringMatching(/^1 CANCELLED: /) },
    });
    expect(await reason).toMatchObject(callerLeft);
  });

  test('a call that is canceled or too late when it is made does not reach the handler', async () => {
    let calls = 0;
    const { client, echo } = await boot(async () => {
      calls++;
      return reply;
    });
    const canceled = { ...call(), signal: AbortSignal.abort() };
    expect(await rejection(client.getStatus({}, canceled))).toMatchObject({
      message: 'The probe service cannot be reached. Try again.',
    });
    for (const ms of [0, -5000])
      expect(await rejection(client.getStatus({}, call(ms)))).toMatchObject({
        message: 'The probe service did not answer in time. Try again.',
      });
    await echo(Buffer.from('after those'), call());
    expect(calls).toBe(0);
  });

  test('a deadline in the far future is no deadline', async () => {
    const { client } = await boot();
    expect(await client.getStatus({}, call(60 * 86_400_000))).toEqual(reply);
  });

  test('the signal of the handler fires once the reply is sent, so that work left over ends', async () => {
    let signal: AbortSignal | undefined;
    const { client } = await boot(async (_request, context) => {
      signal = context.signal;
      expect(signal.aborted).toBe(false);
      return reply;
    });
    await client.getStatus({}, call());
    await until(() => signal?.aborted === true);
    expect(signal?.reason).toMatchObject(callerLeft);
  });

  test('a context can be passed on, and one that is read late knows that the call is over', async () => {
    let context: CallContext | undefined;
    let copied: CallContext | undefined;
    const { client } = await boot(async (_request, received) => {
      context = received;
      copied = { ...received, deadline: new Date(0) };
      expect(copied.signal.aborted).toBe(false);
      return reply;
    });
    await client.getStatus({}, call());
    await until(() => context?.signal.aborted === true);
    expect(copied?.signal.aborted).toBe(true);
    expect(copied?.requestId).toBe('req-1');
  });

  test('calls end without listeners left on the signal of the caller', async () => {
    const { client } = await boot();
    const caller = new AbortController();
    const added = jest.spyOn(caller.signal, 'addEventListener');
    const removed = jest.spyOn(caller.signal, 'removeEventListener');
    await client.getStatus({}, { ...call(), signal: caller.signal });
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      added.mock.calls.map(([type, listener]) => [type, listener]),
    );
  });

  test('a chain of calls does not keep timers waiting', async () => {
    const { client } = await boot();
    let hasFired = false;
    setImmediate(() => {
      hasFired = true;
    });
    let count = 0;
    while (!hasFired && count < 20_000) {
      await client.getStatus({}, call());
      count++;
    }
    expect(hasFired).toBe(true);
  });

  test('every call is measured and logged with its request id and outcome', async () => {
    const { client, lines, metrics } = await boot(async () => {
      throw new AppError('DUPLICATE', 'This is why.', { cause: new RangeError('below') });
    });
    await rejection(client.getStatus({}, { ...call(), requestId: 'req-9', callerId: 'account-9' }));
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged).toEqual([
      expect.objectContaining({
        level: 30,
        msg: 'call',
        service: 'probe',
        method: 'getStatus',
        request_id: 'req-9',
        account_id: 'account-9',
        ms: expect.any(Number),
        outcome: 'DUPLICATE',
        reason: 'This is why.',
        cause: 'RangeError: below',
      }),
    ]);
    const labels = { service: 'probe', method: 'getStatus', outcome: 'DUPLICATE' };
    for (const seconds of [metrics.rpcSeconds, metrics.rpcClientSeconds]) {
      const { values } = await seconds.get();
      expect(values.filter(({ metricName }) => metricName?.endsWith('_count'))).toMatchObject([
        { value: 1, labels },
      ]);
    }
  });

  test('a status that was read is logged at debug: health pages read it every second or so', async () => {
    const { client, lines } = await boot();
    await client.getStatus({}, call());
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 20, msg: 'call', method: 'getStatus', outcome: 'OK' },
    ]);
  });

  test('an unexpected failure has a line with its stack and a line of the call', async () => {
    const { client, lines } = await boot(async () => {
      throw new RangeError('a mistake');
    });
    await rejection(client.getStatus({}, { ...call(), requestId: 'req-9', callerId: 'account-9' }));
    const shared = { request_id: 'req-9', account_id: 'account-9' };
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 50, msg: 'call failed', err: { stack: expect.stringContaining('a mistake') }, ...shared },
      { level: 30, msg: 'call', outcome: 'INTERNAL_ERROR', ...shared },
    ]);
  });

  test('a server that does not answer is measured by its caller', async () => {
    const { client, metrics } = await boot(() => new Promise(() => {}));
    await rejection(client.getStatus({}, call(50)));
    const { values } = await metrics.rpcClientSeconds.get();
    expect(values.find(({ metricName }) => metricName?.endsWith('_count'))).toMatchObject({
      value: 1,
      labels: { service: 'probe', method: 'getStatus', outcome: 'SERVICE_UNAVAILABLE' },
    });
  });

  test('a call whose caller left is not counted as a failure of the service', async () => {
    const caller = new AbortController();
    const { client, metrics } = await boot(() => {
      caller.abort();
      return new Promise(() => {});
    });
    await rejection(client.getStatus({}, { ...call(), signal: caller.signal }));
    const { values } = await metrics.rpcClientSeconds.get();
    expect(values.filter(({ metricName }) => metricName?.endsWith('_count'))).toMatchObject([
      { value: 1, labels: { service: 'probe', method: 'getStatus', outcome: 'CANCELED' } },
    ]);
  });

  test('a call before the start, after the stop, or with a closed client is SERVICE_UNAVAILABLE', async () => {
    const { client, close, start, server } = await prepare();
    const unreachable = {
      code: 'SERVICE_UNAVAILABLE',
      message: 'The probe service cannot be reached. Try again.',
    };
    expect(await rejection(client.getStatus({}, call()))).toMatchObject(unreachable);
    await start();
    await until(() => client.getStatus({}, call()).then(Boolean, () => false));
    await server.drain(1000);
    expect(await rejection(client.getStatus({}, call()))).toMatchObject(unreachable);
    close();
    expect(await rejection(client.getStatus({}, call()))).toMatchObject(unreachable);
  });

  test('draining lets an open call finish and refuses new ones', async () => {
    let finish: () => void = () => {};
    const { client, echo, server } = await boot(
      () =>
        new Promise((resolve) => {
          finish = () => resolve(reply);
          arrive();
        }),
    );
    const { arrive, hasArrived } = arrival();
    const pending = client.getStatus({}, call());
    await hasArrived;
    const drained = server.drain(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await rejection(echo(Buffer.from('new'), call()))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    finish();
    expect(await pending).toEqual(reply);
    await drained;
  });

  test('draining aborts calls that are still open after its time', async () => {
    const { getStatus, reason, hasArrived } = hangingHandler();
    const { client, server } = await boot(getStatus);
    const pending = rejection(client.getStatus({}, call()));
    await hasArrived;
    await server.drain(50);
    expect(await pending).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The probe service cannot be reached. Try again.',
    });
    expect(await reason).toMatchObject(callerLeft);
  });

  test('a service that nobody calls drains at once', async () => {
    const { server } = await boot();
    // The test ends long before its time.
    await server.drain(86_400_000);
  });
});

const part = { name: 'a', state: PartState.OK, detail: 'fine', is_embedded: true, pause: null };
const reply: GetStatusReply = { parts: [part] };
const callerLeft = { code: 'SERVICE_UNAVAILABLE', message: 'The caller canceled the call.' };
const call = (ms?: number) => ({ ...callWithin(ms), requestId: 'req-1' });

function detailsOf(problem: string): ErrorDetails {
  return { issues: { formErrors: [problem], fieldErrors: {} }, notes: [] };
}

function fail(error: unknown): never {
  throw error;
}

function arrival() {
  let arrive: () => void = () => {};
  const hasArrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return { arrive: () => arrive(), hasArrived };
}

/** A handler that answers only when its signal fires; `reason` is that of the signal. */
function hangingHandler() {
  const { arrive, hasArrived } = arrival();
  let count = 0;
  let tell: (reason: unknown) => void = () => {};
  const reason = new Promise<unknown>((resolve) => {
    tell = resolve;
  });
  const getStatus: GetStatus = (_request, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        tell(signal.reason);
        reject(signal.reason);
      });
      count++;
      arrive();
    });
  return { getStatus, reason, hasArrived, arrivals: () => count };
}

async function rejection(call: Promise<unknown>): Promise<AppError> {
  try {
    await call;
  } catch (error) {
    return error as AppError;
  }
  throw new Error('the call succeeded');
}

/** Where the server will listen; null in process. */
async function chooseAddress(transport: (typeof transports)[number]): Promise<string | null> {
  if (transport === 'in process') return null;
  if (transport === 'gRPC on a unix socket') {
    const folder = mkdtempSync(join(tmpdir(), 'sw-grpc-'));
    closing.push(() => rmSync(folder, { recursive: true }));
    return `unix:${join(folder, 'probe.sock')}`;
  }
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
}
