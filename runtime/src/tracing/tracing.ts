/** The values are ids, names, codes and numbers: never a key, a query, an email, or a text of a user or a store. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type NewSpan = {
  /** One of few: without ids. */
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /**
   * The traceparent of the span that this one is a part of. Null, or one that cannot be read: the span starts a
   * trace. Default: the active span.
   */
  parent?: string | null | undefined;
  /** The traceparents of spans that this one is related to. Those that cannot be read are dropped. */
  links?: readonly string[];
  attributes?: SpanAttributes;
};

/** One piece of work of a request, as a trace shows it. */
export type Span = {
  readonly traceId: string;
  /** The span in W3C Trace Context, for other processes and events: its trace, its id, whether it is recorded. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed, with a code: a message could hold what a user has sent. */
  fail(code: string): void;
  end(): void;
};

/** Records spans. The active span belongs to the asynchronous context: it follows `await`, timers and callbacks. */
export type Tracing = {
  start(span: NewSpan): Span;
  /** Runs the work with this span as the active one; null: with none. */
  runIn<Result>(span: Span | null, work: () => Result): Result;
  active(): Span | null;
};

/** The only state of a module in this workspace: like the asynchronous context, tracing belongs to the process. */
let current: Tracing | null = null;

/** Null while tracing is off: then a caller does nothing but this call. */
export function currentTracing(): Tracing | null {
  return current;
}

export function setTracing(tracing: Tracing | null): void {
  current = tracing;
}

/** The active span; null when there is none, or tracing is off. */
export function activeSpan(): Span | null {
  return current === null ? null : current.active();
}

/**
 * Runs work that is shared by several callers as a part of the span of one of them; null: of none.
 * @param span `activeSpan()` at the call of that caller
 */
export function runInSpan<Result>(span: Span | null, work: () => Result): Result {
  return current === null ? work() : current.runIn(span, work);
}

/** Runs background work that a request only happens to start, so that it is not in the trace of that request. */
export function outsideSpans<Result>(work: () => Result): Result {
  return runInSpan(null, work);
}
