import { currentTracing, type Span } from '@shelfwise/runtime/tracing/tracing';
import { type Budget, type Endpoint, endpoints } from './endpoints.ts';
import { StoreFailure } from './store-failure.ts';

/** Makes one attempt of a call to a store in a span. `callStore` adds where the call went. */
export function attemptInSpan<Answer>(endpoint: Endpoint, attempt: () => Promise<Answer>): Promise<Answer> {
  const tracing = currentTracing();
  if (tracing === null) return attempt();
  const attributes = { 'shelfwise.store': endpoints[endpoint].store, 'shelfwise.store_call': endpoint };
  const span = tracing.start({ name: `call ${endpoint}`, kind: 'client', attributes });
  return endWith(span, tracing.runIn(span, attempt));
}

/** Waits for a call slot in a span. */
export function waitInSpan<Slot>(budget: Budget, wait: () => Promise<Slot>): Promise<Slot> {
  const tracing = currentTracing();
  if (tracing === null) return wait();
  const attributes = { 'shelfwise.store_budget': budget };
  const span = tracing.start({ name: `wait for ${budget} budget`, kind: 'internal', attributes });
  return endWith(span, tracing.runIn(span, wait));
}

/** The kind of a failure says more than its class. Other errors, such as APP_NOT_FOUND, come from a readable answer. */
async function endWith<Result>(span: Span, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StoreFailure) span.fail(error.kind);
    throw error;
  } finally {
    span.end();
  }
}
