import { causeOf, parseObject, readRetryAfterMs, readText } from '@shelfwise/runtime/outgoing/read-answer';
import { CliError } from '../cli-error.ts';
import type { Clock } from '../cli-host.ts';
import { exitCodes } from '../exit-codes.ts';
import { ApiError } from './api-error.ts';
import type { Endpoint } from './endpoints.ts';

export type Input = {
  /** The placeholders of the path. */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
};

export type Meta = Readonly<Record<string, unknown>>;

/** `text` is the answer as the API sent it. */
export type Answer<Data> = { text: string; data: Data; meta: Meta };
export type CsvAnswer = { text: string; total: number | null; hasMore: boolean };

export type Api = {
  /**
   * Calls one endpoint. After a rate limit, and while a service is busy, a call that changes nothing more is made again.
   * @throws ApiError with the API's own code; CliError when there was no answer; the reason of the signal
   */
  call<Data>(endpoint: Endpoint, input?: Input): Promise<Answer<Data>>;
  /** As `call`, for the answer as CSV. */
  callCsv(endpoint: Endpoint, input?: Input): Promise<CsvAnswer>;
};

/** The API reports its own timeout; this much longer its answer may take. */
const graceMs = 10_000;
/** The code of `fetch` when no headers have come for 300 s. */
const fetchTimeout = 'UND_ERR_HEADERS_TIMEOUT';
const mostAnswerBytes = 64 * 2 ** 20;
/** All waits of a call for the rate limit together. */
const longestWaitMs = 300_000;
/** Times that a call is made again while a service is busy. */
const mostRepeats = 5;

/** A client of the API with one key. One call is in progress at a time. */
export function createApi(deps: {
  /** without a slash at the end */
  baseUrl: string;
  key: string;
  userAgent: string;
  /** Replaces the time in which the endpoint answers; null: the endpoint's own. */
  timeoutMs: number | null;
  fetch: typeof fetch;
  clock: Clock;
  signal: AbortSignal;
  /** Called before a wait. */
  onWait(reason: string): void;
  /** Called every second from the second one on while an answer is awaited. */
  onSlow(seconds: number): void;
}): Api {
  const { baseUrl, key, userAgent, timeoutMs, clock, signal, onWait, onSlow } = deps;

  async function send(endpoint: Endpoint, input: Input, accept: string) {
    const target = toTarget(endpoint, input);
    const timeout = AbortSignal.timeout(timeoutMs ?? endpoint.deadlineMs + graceMs);
    const headers: Record<string, string> = { 'x-api-key': key, 'user-agent': userAgent, accept };
    if (input.body !== undefined) headers['content-type'] = 'application/json';
    const sentAt = clock.nowMs();
    const stopTicking = clock.every(1000, () => {
      const seconds = Math.floor((clock.nowMs() - sentAt) / 1000);
      if (seconds >= 2) onSlow(seconds);
    });
    try {
      const response = await deps.fetch(`${baseUrl}${target}`, {
        method: endpoint.method,
        headers,
        body: input.body === undefined ? null : JSON.stringify(input.body),
        // A key is sent to no other address than the one in the settings.
        redirect: 'error',
        signal: AbortSignal.any([signal, timeout]),
      });
      return { response, text: await readText(response, mostAnswerBytes) };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw new CliError(exitCodes.apiError, explainNoAnswer(error, { baseUrl, isLate: timeout.aborted }));
    } finally {
      stopTicking();
    }
  }

  /** @param read makes the result of an answer that is no error; null: it is not one of the API */
  async function callUntilAnswered<Result>(
    endpoint: Endpoint,
    input: Input,
    { accept, read }: { accept: string; read(answer: { response: Response; text: string }): Result | null },
  ): Promise<Result> {
    let waitedMs = 0;
    for (let repeats = 0; ; repeats++) {
      const answer = await send(endpoint, input, accept);
      const result = answer.response.ok ? read(answer) : null;
      if (result !== null) return result;
      const error = toApiError(answer);
      const waitMs = Math.max(1000, error.retryAfterMs ?? 0);
      const isRateLimited = error.code === 'RATE_LIMITED';
      const isRepeated = isRateLimited || (isBusy(error, endpoint) && repeats < mostRepeats);
      if (!isRepeated || waitedMs + waitMs > longestWaitMs) throw error;
      const seconds = Math.ceil(waitMs / 1000);
      onWait(isRateLimited ? `waiting ${seconds} s for the rate limit` : `busy; again in ${seconds} s`);
      await clock.pause(waitMs, signal);
      waitedMs += waitMs;
    }
  }

  return {
    call: (endpoint, input = {}) =>
      callUntilAnswered(endpoint, input, {
        accept: 'application/json',
        read({ text }) {
          const body = parseObject(text);
          if (!body || !('data' in body)) return null;
          return { text, data: body.data as never, meta: (body.meta ?? {}) as Meta };
        },
      }),
    callCsv: (endpoint, input = {}) =>
      callUntilAnswered(endpoint, input, {
        accept: 'text/csv',
        read({ response: { headers }, text }) {
          if (!headers.get('content-type')?.startsWith('text/csv')) return null;
          const total = headers.get('x-total-count');
          const hasMore = /rel="next"/.test(headers.get('link') ?? '');
          return { text, total: total === null ? null : Number(total), hasMore };
        },
      }),
  };
}

/** Whether the same call may succeed soon and is harmless to send again. */
function isBusy({ status, retryAfterMs }: ApiError, { method, isRepeatable }: Endpoint): boolean {
  return status === 503 && retryAfterMs !== null && (method === 'GET' || isRepeatable === true);
}

/**
 * The path and query of a call.
 * @throws CliError for an id that could lead to another endpoint, such as `..`
 */
function toTarget({ path }: Endpoint, { params = {}, query = {} }: Input): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = params[name] ?? '';
    if (/^\d{1,15}$/.test(id)) return id;
    throw new CliError(exitCodes.usage, `APP must be an id such as 1, not “${id.slice(0, 50)}”.`);
  });
  const search = new URLSearchParams(query);
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function toApiError({ response, text }: { response: Response; text: string }): ApiError {
  const body = response.ok ? null : parseObject(text);
  return new ApiError(
    response.status,
    body ?? { error: `This is not an answer of the Shelfwise API (status ${response.status}).` },
    readRetryAfterMs(response),
  );
}

function explainNoAnswer(error: unknown, { baseUrl, isLate }: { baseUrl: string; isLate: boolean }): string {
  const reason = causeOf(error);
  if (isLate || reason === fetchTimeout) return 'The API did not answer in time. Try again.';
  return `The API at ${baseUrl} cannot be reached (${reason}). Is it running? Its address: SHELFWISE_BASE_URL.`;
}
