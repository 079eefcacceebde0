import { currentTracing, type Span } from '@shelfwise/runtime/tracing/tracing';
import type { Request, RequestHandler, Response } from 'express';
import { toMethodLabel } from './record-request.ts';
import { getRequestContext } from './request-context.ts';

/**
 * Runs the rest of the pipeline in a span, which starts a trace. A `traceparent` of the caller is only linked:
 * otherwise a stranger could choose our trace ids, and which requests are recorded.
 */
export const traceRequest: RequestHandler = (request, response, next) => {
  const tracing = currentTracing();
  if (tracing === null) return next();
  const context = getRequestContext(response);
  const sent = request.get('traceparent');
  const span = tracing.start({
    name: toMethodLabel(request),
    kind: 'server',
    parent: null,
    links: sent === undefined ? [] : [sent],
    attributes: {
      'http.request.method': toMethodLabel(request),
      'shelfwise.request_id': context.requestId,
    },
  });
  context.span = span;
  response.once('close', () => endSpan(span, request, response));
  tracing.runIn(span, next);
};

function endSpan(span: Span, request: Request, response: Response): void {
  const { route, caller, failure } = getRequestContext(response);
  const isAnswered = response.writableFinished;
  span.set({ 'shelfwise.account_id': caller?.account.id });
  if (route !== 'unmatched') {
    span.rename(`${toMethodLabel(request)} ${route}`);
    span.set({ 'http.route': route });
  }
  if (isAnswered) span.set({ 'http.response.status_code': response.statusCode });
  if (!isAnswered) span.set({ 'error.type': 'client_disconnected' });
  else if (response.statusCode >= 500) span.fail(failure?.code ?? String(response.statusCode));
  else if (failure !== undefined) span.set({ 'error.type': failure.code });
  span.end();
}
