import { PartStatus_State as PartState, StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { callWithin } from '../../testing/call-within.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { useTracing } from '../../testing/use-tracing.ts';
import { AppError } from '../src/errors.ts';
import { createGrpcClient } from '../src/grpc/client/grpc-client.ts';
import type { CallOptions, UnaryMethod } from '../src/grpc/grpc-types.ts';
import { createGrpcServer } from '../src/grpc/server/grpc-server.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { activeSpan, currentTracing, type Tracing } from '../src/tracing/tracing.ts';
import { createRecordingLogger } from './recording-logger.ts';

const asIs = (bytes: Buffer) => bytes;
const methodOf = (path: string): UnaryMethod<Buffer, Buffer> => ({
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
});
const probeService = {
  outer: methodOf('/probe.v1.ProbeService/Outer'),
  inner: methodOf('/probe.v1.ProbeService/Inner'),
  fail: methodOf('/probe.v1.ProbeService/Fail'),
  hang: methodOf('/probe.v1.ProbeService/Hang'),
};

const traces = useTracing();
const closing = useClosing();

const call = (callerId?: string): CallOptions => ({ ...callWithin(), requestId: 'r-1', callerId });

async function boot(transport: string) {
  const { logger, lines } = createRecordingLogger();
  const server = createGrpcServer({ name: 'probe', logger, metrics: createMetrics() });
  server.addService(probeService, {
    outer: async (request, context) => client.inner(request, context),
    inner: async (request) => request,
    fail: async () => {
      throw new AppError('INTERNAL_ERROR', 'it knows secret@example.com');
    },
    hang: () => new Promise(() => {}),
  });
  server.addService(StatusServiceService, {
    getStatus: async () => ({
      parts: [{ name: activeSpan()?.traceId ?? 'none', state: PartState.OK, detail: '', is_embedded: false }],
    }),
  });
  const listensOn = await server.listen(transport === 'in process' ? null : '127.0.0.1:0');
  closing.push(() => server.drain(10));
  const address = transport === 'in process' ? server.inProcess : listensOn;
  const { client, close } = createGrpcClient({ service: probeService, name: 'probe', address });
  const status = createGrpcClient({ service: StatusServiceService, name: 'probe', address });
  closing.push(close, status.close);
  return { client, status: status.client, lines };
}

function inRoot<Result>(work: () => Promise<Result>): Promise<Result> {
  const tracing = currentTracing() as Tracing;
  const span = tracing.start({ name: 'root', kind: 'server', parent: null });
  return tracing.runIn(span, work).finally(() => span.end());
}

describe.each(['gRPC on a port', 'in process'])('%s', (transport) => {
  test('a call of a call is one trace, whose client and server spans are nested', async () => {
    const { client, lines } = await boot(transport);
    await inRoot(() => client.outer(Buffer.from('x'), call('a-1')));
    const spans = await traces.until(5);
    const root = spans.find(({ name }) => name === 'root');
    const chain = [root?.spanId];
    for (let next = root; next; next = spans.find(({ parentId }) => parentId === next?.spanId))
      chain.push(`${next.kind} ${next.name}`);
    expect(chain.slice(1)).toEqual([
      'server root',
      'client probe.v1.ProbeService/Outer',
      'server probe.v1.ProbeService/Outer',
      'client probe.v1.ProbeService/Inner',
      'server probe.v1.ProbeService/Inner',
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const served = spans.find(({ kind, name }) => kind === 'server' && name.endsWith('Inner'));
    expect(served?.attributes).toEqual({
      'rpc.system.name': 'grpc',
      'rpc.method': 'probe.v1.ProbeService/Inner',
      'shelfwise.service': 'probe',
      'shelfwise.request_id': 'r-1',
      'shelfwise.account_id': 'a-1',
    });
    const calls = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'call');
    expect(calls).toHaveLength(2);
    for (const line of calls)
      expect(line).toMatchObject({ request_id: 'r-1', account_id: 'a-1', trace_id: root?.traceId });
  });

  test('a failed call marks its spans with the code, and never with the message', async () => {
    const { client } = await boot(transport);
    await expect(inRoot(() => client.fail(Buffer.from('x'), call()))).rejects.toThrow();
    const spans = await traces.until(3);
    const failed = spans.filter(({ name }) => name.endsWith('Fail'));
    expect(failed.map(({ kind }) => kind).sort()).toEqual(['client', 'server']);
    for (const { attributes, isFailed } of failed)
      expect([attributes['error.type'], isFailed]).toEqual(['INTERNAL_ERROR', true]);
    expect(traces.hasReceived('secret@example.com')).toBe(false);
  });

  test('a call whose caller left is not marked as failed', async () => {
    const { client } = await boot(transport);
    const caller = new AbortController();
    const pending = inRoot(() => client.hang(Buffer.from('x'), { ...call(), signal: caller.signal }));
    caller.abort();
    await expect(pending).rejects.toThrow();
    const spans = await traces.until((all) => all.some(({ name }) => name === 'root'));
    expect(spans.find(({ kind }) => kind === 'client')).toMatchObject({
      isFailed: false,
      attributes: { 'error.type': 'CANCELED' },
    });
  });

  test('a call outside of a trace has no client span, and starts a trace at the server', async () => {
    const { client } = await boot(transport);
    await client.inner(Buffer.from('x'), call());
    const [span, ...others] = await traces.until(1);
    expect(others).toEqual([]);
    expect(span).toMatchObject({ kind: 'server', parentId: '' });
  });

  test('the status RPC, which is polled, has no span', async () => {
    const { status } = await boot(transport);
    expect((await status.getStatus({}, call())).parts[0]?.name).toBe('none');
    await inRoot(async () => {});
    expect((await traces.until(1)).map(({ name }) => name)).toEqual(['root']);
  });
});
