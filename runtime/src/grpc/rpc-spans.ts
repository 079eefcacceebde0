import { inSpan, recordError } from '../tracing/in-span.ts';
import type { Span, SpanAttributes, Tracing } from '../tracing/tracing.ts';
import { fromCallHeaders } from './call-headers.ts';
import { outcomeOf } from './call-outcome.ts';
import type { CallContext, CallOptions, IncomingCall } from './grpc-types.ts';

/** Whether it is a call of a health page or of a reading of metrics: they come every second or so. */
export function isStatusCall(path: string): boolean {
  return path.startsWith('/shelfwise.runtime.v1.StatusService/');
}

/** Runs a call of a client in a span, if it is a part of one. */
export function inCallSpan<Result>(
  tracing: Tracing,
  { path, call }: { path: string; call: CallOptions },
  work: () => Promise<Result>,
): Promise<Result> {
  if (tracing.active() === null) return work();
  const newSpan = { name: nameOf(path), kind: 'client', attributes: describe(path, call) } as const;
  return inSpan(tracing, newSpan, work, (span, error) => {
    if (outcomeOf(error, call) === 'CANCELED') span.set({ 'error.type': 'CANCELED' });
    else recordError(span, error);
  });
}

/** Runs a call that has arrived in a span: a part of the caller's trace, else of a new one. */
export function inServerSpan<Result>(
  tracing: Tracing,
  { service, path, call }: { service: string; path: string; call: IncomingCall },
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  if (isStatusCall(path)) return tracing.runIn(null, () => work(null));
  const { traceparent = null, ...carried } = fromCallHeaders(call.header);
  const attributes = { 'shelfwise.service': service, ...describe(path, carried) };
  return inSpan(tracing, { name: nameOf(path), kind: 'server', parent: traceparent, attributes }, work);
}

/** As OpenTelemetry names them: `package.Service/Method`. */
function nameOf(path: string): string {
  return path.slice(1);
}

function describe(
  path: string,
  { requestId, callerId }: Pick<CallContext, 'requestId' | 'callerId'>,
): SpanAttributes {
  return {
    'rpc.system.name': 'grpc',
    'rpc.method': nameOf(path),
    'shelfwise.request_id': requestId,
    'shelfwise.account_id': callerId,
  };
}
