import { chooseWaitMs } from './choose-wait.ts';
import { ApiError, ConnectionError, ShelfwiseError, TimeoutError } from './errors.ts';
import type { ErrorBody } from './generated/schemas.ts';
import type { Answer, CallOptions, Operation } from './operation.ts';

export type Input = Readonly<Record<string, unknown>>;

/** @throws ShelfwiseError, or the reason of the signal */
export type Send = (
  operation: Operation,
  input: Input,
  options?: CallOptions,
) => Promise<Answer<unknown, Readonly<Record<string, unknown>>>>;

export type SendSettings = {
  baseUrl: string;
  apiKey: string;
  userAgent: string;
  timeoutMs: number | null;
  maxRetries: number;
  maxWaitMs: number;
  fetch: typeof fetch;
  /** Called before each wait. */
  onRetry(error: ShelfwiseError, waitMs: number): void;
  /** @throws the reason of the signal */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** From any start. */
  nowMs(): number;
};

/** The API reports its own timeout; this much longer its answer may take. */
const graceMs = 10_000;
const mostAnswerBytes = 64 * 2 ** 20;
/** The codes of the fetch of Node.js, which waits 300 s for headers and for each part of a body. */
const timeoutCodes = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** Makes calls with one key, and makes them again where that helps and does nothing twice. */
export function createSend(settings: SendSettings): Send {
  return async function send(operation, input, options = {}) {
    const { signal, maxRetries = settings.maxRetries, requestId } = options;
    if (requestId !== undefined && !/^[\w.-]{1,64}$/.test(requestId))
      throw new TypeError('requestId must be 1 to 64 of A-Z a-z 0-9 . _ -');
    const request = toRequest(operation, input, settings);
    let spentMs = 0;
    for (let retries = 0; ; retries++) {
      signal?.throwIfAborted();
      const sentAt = settings.nowMs();
      try {
        return await sendOnce(operation, request, options);
      } catch (error) {
        if (!(error instanceof ShelfwiseError)) throw error;
        const waitMs = retries < maxRetries ? chooseWaitMs(error, retries) : null;
        spentMs += settings.nowMs() - sentAt + (waitMs ?? 0);
        if (waitMs === null || spentMs > settings.maxWaitMs) throw error;
        settings.onRetry(error, waitMs);
        await settings.pause(waitMs, signal);
      }
    }
  };

  async function sendOnce(
    { method, deadlineMs, isRepeatable }: Operation,
    { url, body }: { url: string; body: string | null },
    { signal, timeoutMs = settings.timeoutMs ?? deadlineMs + graceMs, requestId }: CallOptions,
  ) {
    const timeout = AbortSignal.timeout(timeoutMs);
    const headers: Record<string, string> = {
      'x-api-key': settings.apiKey,
      'user-agent': settings.userAgent,
      accept: 'application/json',
    };
    if (body !== null) headers['content-type'] = 'application/json';
    if (requestId !== undefined) headers['x-request-id'] = requestId;
    let facts = { requestId: requestId ?? null, isRepeatable };
    try {
      const response = await settings.fetch(url, {
        method,
        headers,
        body,
        // A key is sent to no other address than the one in the settings.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      facts = { ...facts, requestId: response.headers.get('x-request-id') ?? facts.requestId };
      return readAnswer(response, parseObject(await readText(response)), facts);
    } catch (error) {
      if (error instanceof ShelfwiseError) throw error;
      if (signal?.aborted) throw signal.reason;
      if (timeout.aborted)
        throw new TimeoutError(`There was no answer within ${timeoutMs} ms.`, facts, { cause: error });
      const cause = causeOf(error);
      const isLate = timeoutCodes.includes(cause);
      const NoAnswer = isLate ? TimeoutError : ConnectionError;
      throw new NoAnswer(`There was no answer (${cause}).`, facts, { cause: error });
    }
  }
}

/** @throws ApiError */
function readAnswer(
  response: Response,
  body: Readonly<Record<string, unknown>> | null,
  facts: { requestId: string | null; isRepeatable: boolean },
): Awaited<ReturnType<Send>> {
  const { ok, status, headers } = response;
  if (ok && body && 'data' in body) {
    const meta = (body.meta ?? {}) as Readonly<Record<string, unknown>>;
    const { warnings = [] } = meta as { warnings?: string[] };
    return { data: body.data, meta, warnings, requestId: facts.requestId };
  }
  const isOfApi = status >= 400 && typeof body?.code === 'string' && typeof body.error === 'string';
  throw new ApiError({ status, headers, body: isOfApi ? (body as Partial<ErrorBody>) : null }, facts);
}

/** @throws TypeError for an unknown parameter, or an id that could lead to another endpoint, such as `..` */
function toRequest(
  { path, query, body }: Operation,
  input: Input,
  { baseUrl }: SendSettings,
): { url: string; body: string | null } {
  const inPath: string[] = [];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    inPath.push(name);
    const id = String(input[name]);
    if (/^\d+$/.test(id)) return id;
    throw new TypeError(`${name} must be an id, not “${id.slice(0, 50)}”.`);
  });
  const known = [...inPath, ...query, ...body];
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`There is no parameter ${unknown}. There are: ${known.join(', ')}.`);
  const search = new URLSearchParams();
  for (const name of query) if (input[name] != null) search.set(name, String(input[name]));
  return {
    url: `${baseUrl}${filled}${search.size === 0 ? '' : `?${search}`}`,
    // A null is a value; what is undefined is not sent.
    body:
      body.length === 0 ? null : JSON.stringify(Object.fromEntries(body.map((name) => [name, input[name]]))),
  };
}

/** Empty when it is larger than any answer of the API: the rest is not read. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > mostAnswerBytes) return '';
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: Error & { code?: string } };
  return cause?.code ?? cause?.message ?? message;
}
