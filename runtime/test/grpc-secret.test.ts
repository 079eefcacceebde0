import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { HealthService } from '@shelfwise/proto/grpc-health';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { callWithin } from '../../testing/call-within.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { createGrpcClient } from '../src/grpc/client/grpc-client.ts';
import { createGrpcServer } from '../src/grpc/server/grpc-server.ts';
import { addReflection } from '../src/grpc/server/reflection.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { createRecordingLogger } from './recording-logger.ts';

const secret = 'the-secret-of-the-services-0123456789';
const otherSecret = 'the-secret-of-the-services-9876543210';
const closing = useClosing();

const withSecret = (value: string | null) => ({
  certificates: null,
  isInsecureAllowed: false,
  secret: value,
});

async function start(serverSecret: string | null = secret, address = '127.0.0.1:0') {
  const { logger, lines } = createRecordingLogger();
  const seen = { calls: 0, secrets: [] as (string | undefined)[] };
  const server = createGrpcServer({
    name: 'probe',
    logger,
    metrics: createMetrics(),
    hasReflection: true,
    security: withSecret(serverSecret),
  });
  server.addService(StatusServiceService, {
    getStatus: async () => {
      seen.calls++;
      return { parts: [] };
    },
  });
  closing.push(() => server.drain(1000));
  return { server, seen, lines, address: await server.listen(address) };
}

function call(address: string, clientSecret: string | null): Promise<unknown> {
  const { client, close } = createGrpcClient({
    service: StatusServiceService,
    name: 'probe',
    address,
    security: withSecret(clientSecret),
  });
  closing.push(close);
  return client.getStatus({}, callWithin());
}

/** Calls as any gRPC client would. Resolves to the status of the call. */
function callWith(
  address: string,
  headers: readonly [string, string][],
  method = StatusServiceService.getStatus,
) {
  const client = new Client(address, credentials.createInsecure());
  closing.push(() => client.close());
  const metadata = new Metadata();
  for (const [name, value] of headers) metadata.add(name, value);
  const { path } = method;
  return new Promise<{ code: status; details: string }>((resolve) =>
    client.makeUnaryRequest(
      path,
      () => Buffer.alloc(0),
      (reply) => reply,
      {},
      metadata,
      callWithin(),
      (error: ServiceError | null) =>
        resolve({ code: error?.code ?? status.OK, details: error?.details ?? '' }),
    ),
  );
}

const advice = 'Set GRPC_SECRET to the same value for every process and command.';

test('a client with the secret is served', async () => {
  const { address, seen } = await start();
  expect(await call(address, secret)).toEqual({ parts: [] });
  expect(seen.calls).toBe(1);
});

test.each([
  ['without a secret', null],
  ['with another secret', otherSecret],
])('a client %s gets an error that says what to set, and no handler runs', async (_name, clientSecret) => {
  const { address, seen, lines } = await start();
  await expect(call(address, clientSecret)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: `The probe service refuses the calls of this process, because its secret is missing or another one. ${advice}`,
    cause: { code: status.UNAUTHENTICATED },
  });
  expect(seen.calls).toBe(0);
  expect(JSON.stringify(lines)).not.toContain('secret-of-the-services');
});

test.each([
  ['none', [], 'The call has no secret (header x-grpc-secret).'],
  [
    'an empty one',
    [['x-grpc-secret', '']],
    'The secret of the call (header x-grpc-secret) is not that of the service.',
  ],
  ['its beginning', [['x-grpc-secret', secret.slice(0, -1)]], 'The secret of the call'],
  ['more than it', [['x-grpc-secret', `${secret}x`]], 'The secret of the call'],
  [
    'two, one of them right',
    [
      ['x-grpc-secret', secret],
      ['x-grpc-secret', otherSecret],
    ],
    'The secret of the call',
  ],
] as [string, [string, string][], string][])(
  'any client that sends %s is UNAUTHENTICATED',
  async (_name, headers, sentence) => {
    const { address, seen } = await start();
    const { code, details } = await callWith(address, headers);
    expect(code).toBe(status.UNAUTHENTICATED);
    expect(details).toContain(sentence);
    expect(details).toContain(advice);
    expect(details).not.toContain('secret-of-the-services');
    expect(seen.calls).toBe(0);
  },
);

test('health needs no secret', async () => {
  const { address } = await start();
  expect(await callWith(address, [], HealthService.check as never)).toMatchObject({ code: status.OK });
});

/** The path of the reflection protocol, as the library defines it. */
function reflectionPath(): string {
  const paths: string[] = [];
  addReflection(
    {
      addService: (definition) =>
        paths.push(...Object.values(definition as Record<string, { path: string }>).map(({ path }) => path)),
    },
    [],
  );
  return paths[0] ?? '';
}

test.each([
  ['without the secret is refused', [], status.UNAUTHENTICATED],
  ['with it is answered', [['x-grpc-secret', secret]], status.OK],
] as [string, [string, string][], status][])('reflection %s', async (_name, headers, code) => {
  const { address } = await start();
  const client = new Client(address, credentials.createInsecure());
  closing.push(() => client.close());
  const metadata = new Metadata();
  for (const [name, value] of headers) metadata.add(name, value);
  const asIs = (message: Buffer) => message;
  const ended = new Promise<status>((resolve) => {
    const stream = client.makeBidiStreamRequest(reflectionPath(), asIs, asIs, metadata, callWithin());
    stream.on('data', () => {});
    stream.on('error', () => {});
    stream.on('status', (result: { code: status }) => resolve(result.code));
    stream.end();
  });
  expect(await ended).toBe(code);
});

test('calls in this process and over a unix socket need none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sw-secret-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const { address, server, seen } = await start(secret, `unix:${join(folder, 'probe')}`);
  expect(await call(address, null)).toEqual({ parts: [] });
  const { client, close } = createGrpcClient({
    service: StatusServiceService,
    name: 'probe',
    address: server.inProcess,
  });
  closing.push(close);
  expect(await client.getStatus({}, callWithin())).toEqual({ parts: [] });
  expect(seen.calls).toBe(2);
});

test('a server on this machine without a secret serves every client', async () => {
  const { address } = await start(null);
  expect(await call(address, null)).toEqual({ parts: [] });
  expect(await call(address, secret)).toEqual({ parts: [] });
});
