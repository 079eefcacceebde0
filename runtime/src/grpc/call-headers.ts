import { activeSpan } from '../tracing/tracing.ts';
import type { CallContext, CallOptions } from './grpc-types.ts';

/** What travels with a request on every transport. The deadline and the signal travel by other means. */
export type CallHeaders = Readonly<Record<string, string>>;

type Carried = Pick<CallContext, 'requestId' | 'callerId'> & { traceparent: string | undefined };

const requestIdHeader = 'x-request-id';
const callerIdHeader = 'x-caller-id';
/** The name in W3C Trace Context, which proxies between the processes know. */
const traceparentHeader = 'traceparent';

/** The headers of a call, which is a part of the active span. Characters that a header cannot carry become `?`. */
export function toCallHeaders({ requestId, callerId }: CallOptions): CallHeaders {
  const headers: Record<string, string> = { [requestIdHeader]: toHeaderText(requestId) };
  if (callerId !== undefined) headers[callerIdHeader] = toHeaderText(callerId);
  const span = activeSpan();
  if (span !== null) headers[traceparentHeader] = span.traceparent;
  return headers;
}

/** What the headers of a call say, read by name. */
export function fromCallHeaders(read: (header: string) => string | undefined): Carried {
  return {
    requestId: read(requestIdHeader) ?? 'none',
    callerId: read(callerIdHeader),
    traceparent: read(traceparentHeader),
  };
}

function toHeaderText(text: string): string {
  return text.replace(/[^ -~]/g, '?');
}
