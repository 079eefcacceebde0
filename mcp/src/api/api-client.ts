import { withAnySignal } from '@shelfwise/runtime/concurrency/with-any-signal';
import { causeOf, parseObject, readRetryAfterMs, readText } from '@shelfwise/runtime/outgoing/read-answer';
import { ApiError } from './api-error.ts';
import { type CallQueue, type Clock, QueueError } from './call-queue.ts';
import type { Operation } from './operation.ts';

export type Answer = { data: unknown; meta?: Record<string, unknown> };

export type CallOptions = {
  signal: AbortSignal;
  /** Called when the call has to wait before it is made. */
  onWait?(reason: string): void;
};

export type ApiClient = {
  /**
   * Calls one endpoint when the rate limits of the key allow it.
   * @param input the parameters by their names, as the operation has them
   * @throws ApiError with the API's own code; QueueError when the call was not made; Error when there was no answer
   */
  call(operation: Operation, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<Answer>;
};

/** The API reports its own timeout; this much longer its answer may take. */
const graceMs = 10_000;
/** The code of `fetch` when no headers have come for 300 s. */
const fetchTimeout = 'UND_ERR_HEADERS_TIMEOUT';
const mostAnswerBytes = 32 * 2 ** 20;
/** Times that a call is made again while a service is busy. After a rate limit it is, until it has waited too long for a slot. */
const mostRepeats = 3;

/** A client of the REST API with one key. */
export function createApiClient(deps: {
  /** without a slash at the end */
  baseUrl: string;
  key: string;
  queue: CallQueue;
  userAgent: string;
  /** More headers of every call. */
  headers?: Readonly<Record<string, string>>;
  clock: Clock;
  /** Fires when no call may start any more: its reason is the error of those that wait. */
  stopped?: AbortSignal;
  /** Gets the reason instead of the caller, who is elsewhere and should not read our addresses. */
  onUnreachable?(error: unknown): void;
  fetch?: typeof fetch;
}): ApiClient {
  const { baseUrl, key, queue, userAgent, clock, onUnreachable, fetch: send = fetch } = deps;

  async function callOnce(
    operation: Operation,
    target: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const timeout = AbortSignal.timeout(operation.deadlineMs + graceMs);
    const body = operation.parameters.body.length > 0 ? pick(input, operation.parameters.body) : null;
    const headers: Record<string, string> = {
      ...deps.headers,
      'x-api-key': key,
      'user-agent': userAgent,
      accept: 'application/json',
    };
    const text = body && JSON.stringify(body);
    if (body) headers['content-type'] = 'application/json';
    try {
      const response = await send(`${baseUrl}${target}`, {
        method: operation.method,
        headers,
        body: text,
        // A key is sent to no other address than the one in the settings.
        redirect: 'error',
        signal: AbortSignal.any([signal, timeout]),
      });
      return await readAnswer(response);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof ApiError) throw error;
      if (timeout.aborted || causeOf(error) === fetchTimeout)
        throw new Error('The API did not answer in time. Try again.');
      if (!onUnreachable)
        throw new Error(`The API at ${baseUrl} cannot be reached (${causeOf(error)}). Is it running?`);
      onUnreachable(error);
      throw new Error('The API cannot be reached. Try again.');
    }
  }

  /** @param signal of the caller @param waitSignal also ends what waits */
  async function callUntilAnswered(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    { signal, waitSignal, onWait }: CallOptions & { waitSignal: AbortSignal },
  ): Promise<Answer> {
    const target = toTarget(operation, input);
    let waitedMs = 0;
    let refusal: ApiError | null = null;
    for (let repeats = 0; ; repeats++) {
      const askedAt = clock.nowMs();
      const sayThatItWaits = () => onWait?.('waiting for the rate limit of the key');
      const cancelNotice = clock.after(1000, sayThatItWaits);
      const endCall = await queue
        .takeSlot({ signal: waitSignal, repeated: refusal && { waitedMs } })
        // What the API has said is more than that there is no slot to ask it again.
        .catch((error: unknown) => {
          throw error instanceof QueueError ? (refusal ?? error) : error;
        })
        .finally(cancelNotice);
      waitedMs += clock.nowMs() - askedAt;
      try {
        return await callOnce(operation, target, input, signal);
      } catch (error) {
        if (!(error instanceof ApiError) || !isRepeated(error, operation, repeats)) throw error;
        refusal = error;
      } finally {
        endCall();
      }
      // A rate limit is of all calls of the key; a busy service is that of this call only.
      const pauseMs = Math.max(1000, refusal.retryAfterMs ?? 0);
      if (refusal.code === 'RATE_LIMITED') queue.pause(pauseMs);
      else await pause(pauseMs, clock, waitSignal);
    }
  }

  return {
    call: (operation, input, options) =>
      withAnySignal([options.signal, deps.stopped ?? []].flat(), (waitSignal) =>
        callUntilAnswered(operation, input, { ...options, waitSignal }),
      ),
  };
}

/** @throws the reason of the signal */
function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort);
  });
}

/** Whether the same call is made again, after the time that the API has asked for. */
function isRepeated(error: ApiError, { method }: Operation, repeats: number): boolean {
  if (error.retryAfterMs === null) return false;
  if (error.code === 'RATE_LIMITED') return true;
  // A POST may have changed something before the service failed: its caller decides.
  return error.status === 503 && method === 'GET' && repeats < mostRepeats;
}

/**
 * The path and query of a call.
 * @throws Error for an id that could lead to another endpoint, such as `..`
 */
function toTarget({ path, parameters }: Operation, input: Readonly<Record<string, unknown>>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = String(input[name]);
    if (!/^\d+$/.test(id)) throw new Error(`${name} must be an id, not “${id.slice(0, 50)}”.`);
    return id;
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(pick(input, parameters.query)))
    query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function pick(input: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  );
}

async function readAnswer(response: Response): Promise<Answer> {
  const body = parseObject(await readText(response, mostAnswerBytes));
  if (response.ok && body && 'data' in body) return body as Answer;
  throw new ApiError(
    response.status,
    body ?? { error: `This is not an answer of the Shelfwise API (status ${response.status}).` },
    readRetryAfterMs(response),
  );
}
