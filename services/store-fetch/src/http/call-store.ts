import { activeSpan } from '@shelfwise/runtime/tracing/tracing';
import { type Dispatcher, fetch, type RequestInit, type Response } from 'undici';
import { StoreFailure } from '../store-health/store-failure.ts';
import { isMarkup } from './parse-body.ts';

export type StoreCall = {
  url: URL;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | undefined;
  /** Time limit for the whole answer, headers and body. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Undefined: a direct call, without a proxy. */
  dispatcher: Dispatcher | undefined;
  /** Whether a 404 is an answer (there is no such app) or an error. */
  mayBeMissing?: boolean;
  /** Whether a redirect is an answer (the page has another address) or an error. It is never followed here. */
  mayBeMoved?: boolean;
  /**
   * `data` (default): JSON or XML; a web page is never a valid answer, and may be a captcha. `html`: a page that may
   * itself mention captchas; its parser throws `refusePage` when the page's own marks are missing.
   */
  expects?: 'data' | 'html';
  /** Size limit of an answer; by default 16 MiB for data and 4 MiB for a page. */
  maxKiB?: number | undefined;
};

/** An answer of a store: 200, or a 404 or redirect where the call expects one. */
export type StoreAnswer = {
  /** 301 represents every redirect. */
  status: 200 | 301 | 404;
  contentType: string;
  body: Buffer;
  /** The target of a redirect, as the store wrote it; null if there is none. */
  movedTo: string | null;
};

/** Limits after decompression. A full page of 200 results is 1 to 2 MiB of data, a web page less than 1 MiB. */
const usualMaxKiB = { data: 16 * 1024, html: 4 * 1024 } as const;

const userAgent = 'Shelfwise (self-hosted app-store-optimization service)';

/**
 * Makes one call to a store, within `timeoutMs`. The body is checked for a captcha, unless it is an expected page
 * (`html` with status 200), and not parsed.
 * @throws StoreFailure for everything that is not an answer, with the kind of failure
 */
export async function callStore(call: StoreCall): Promise<StoreAnswer> {
  const limit = limitTime(call.timeoutMs, call.signal);
  try {
    const request: RequestInit = {
      method: call.method ?? 'GET',
      headers: { 'user-agent': userAgent, ...call.headers },
      // A redirect would lead to another page than the requested one, perhaps on a host that is not configured.
      redirect: 'manual',
      signal: limit.signal,
    };
    if (call.body !== undefined) request.body = call.body;
    if (call.dispatcher) request.dispatcher = call.dispatcher;
    // Before the call, which may fail. Never the path and the query: they hold what a user asks for.
    const span = activeSpan();
    span?.set({ 'server.address': call.url.hostname, 'http.request.method': request.method });
    const response = await fetch(call.url, request);
    span?.set({ 'http.response.status_code': response.status });
    return readAnswer(response, await readBody(response, call), call);
  } catch (error) {
    if (error instanceof StoreFailure) throw error;
    // Not every fetch rejects with the abort reason itself.
    throw limit.signal.aborted ? limit.signal.reason : nameConnectionFailure(error);
  } finally {
    limit.stop();
  }
}

/** A signal that aborts with a StoreFailure when the time is up or the caller gives up. */
function limitTime(timeoutMs: number, callerSignal: AbortSignal) {
  const controller = new AbortController();
  const onTimeout = () =>
    controller.abort(new StoreFailure('timeout', `gave no complete answer within ${timeoutMs} ms`));
  const onCallerAbort = () =>
    controller.abort(
      new StoreFailure('abandoned', 'had not answered when the caller gave up', {
        cause: callerSignal.reason,
      }),
    );
  const timer = setTimeout(onTimeout, timeoutMs);
  callerSignal.addEventListener('abort', onCallerAbort);
  if (callerSignal.aborted) onCallerAbort();
  return {
    signal: controller.signal,
    stop() {
      clearTimeout(timer);
      callerSignal.removeEventListener('abort', onCallerAbort);
    },
  };
}

async function readBody(
  response: Response,
  { expects = 'data', maxKiB = usualMaxKiB[expects] }: StoreCall,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxKiB * 1024) throw new StoreFailure('malformed', `sent more than ${maxKiB} KiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readAnswer(response: Response, body: Buffer, call: StoreCall): StoreAnswer {
  const { status, headers } = response;
  const isRedirect = status >= 300 && status < 400;
  const movedTo = isRedirect ? headers.get('location') : null;
  const answer = { contentType: headers.get('content-type') ?? '', body, movedTo };
  // Before the status check: a captcha comes with any status.
  const mayMentionCaptcha = call.expects === 'html' && status === 200;
  if ((!mayMentionCaptcha && isCaptcha(answer)) || leadsToCaptcha(answer)) throw captchaFailure(status);
  if (status === 403 || status === 429)
    throw new StoreFailure('blocked', `refused the call (HTTP ${status})`);
  if (isRedirect) {
    if (call.mayBeMoved && movedTo !== null) return { ...answer, status: 301 };
    throw new StoreFailure('error', `redirected the call to another address (HTTP ${status}), not followed`, {
      isPermanent: true,
    });
  }
  if (status === 200 || (status === 404 && call.mayBeMissing)) return { ...answer, status };
  // A retry has the same outcome, except after 408: the store did not receive the whole request in time.
  const isPermanent = status < 500 && status !== 408;
  throw new StoreFailure('error', `answered with an error (HTTP ${status})`, { isPermanent });
}

/**
 * The failure for a web page other than the requested one: a captcha, otherwise `problem`. `problem` continues a
 * sentence that starts with the store's name: "sent a page without …".
 */
export function refusePage(answer: StoreAnswer, problem: string): StoreFailure {
  return isCaptcha(answer) ? captchaFailure(answer.status) : new StoreFailure('malformed', problem);
}

type Page = Pick<StoreAnswer, 'contentType' | 'body'>;

/** Checks HTML only: data such as app descriptions and suggestions may mention captchas. */
function isCaptcha({ contentType, body }: Page): boolean {
  const isXml = /^\uFEFF?\s*<\?xml/.test(body.subarray(0, 1024).toString('utf8'));
  if (isXml || (!isMarkup(body) && !contentType.includes('text/html'))) return false;
  return /captcha|unusual traffic|not a robot|verify (that )?you are (a )?human/i.test(body.toString('utf8'));
}

/** Google redirects suspected robots to a page called sorry. */
function leadsToCaptcha({ movedTo }: Pick<StoreAnswer, 'movedTo'>): boolean {
  return movedTo !== null && /\/sorry\//.test(movedTo);
}

function captchaFailure(status: number): StoreFailure {
  return new StoreFailure('captcha', `asked for a captcha instead of answering (HTTP ${status})`);
}

/** Names the failure by the error code, which is in the cause of a fetch error. */
function nameConnectionFailure(error: unknown): StoreFailure {
  const code = findCode(error);
  // undici stops connecting after 10 s, whatever the limit here
  if (/TIMEOUT|TIMEDOUT/.test(code)) {
    return new StoreFailure('timeout', `did not answer in time (${code})`, { cause: error });
  }
  // zlib and HTTP parser: bytes arrived, but no valid answer
  if (/^(Z_|HPE_)/.test(code)) {
    return new StoreFailure('malformed', `sent an answer that cannot be decoded (${code})`, { cause: error });
  }
  return new StoreFailure('unreachable', `could not be reached (${code})`, { cause: error });
}

function findCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown reason';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? findCode(error.cause) : 'unknown reason';
}
