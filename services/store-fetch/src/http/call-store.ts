import { type Dispatcher, fetch, type Response } from 'undici';
import { StoreFailure } from '../sources/store-failure.ts';
import { isMarkup } from './parse-body.ts';

/** One HTTP call to a store. */
export type StoreCall = {
  url: URL;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | undefined;
  /** For the whole answer, headers and body. */
  timeoutMs: number;
  /** The caller's. */
  signal: AbortSignal;
  /** Undefined: straight, without a proxy. */
  dispatcher: Dispatcher | undefined;
  /** Whether a 404 is an answer (there is no such app) rather than an error. */
  mayBeMissing?: boolean;
  /** Whether a redirect is an answer (the page has another address) rather than an error. It is never followed here. */
  mayBeMoved?: boolean;
  /**
   * `data` (unless said): JSON or XML, so that a web page is none and may be a captcha. `html`: a page that may speak
   * of captchas itself; its reader looks for its marks and, when they are missing, throws `refusePage`.
   */
  expects?: 'data' | 'html';
  /** The longest answer that is read; 16 MiB of data and 4 MiB of a page unless said. */
  maxKiB?: number | undefined;
};

/** What a store answered: 200, or 404 or a redirect where that was to be expected. */
export type StoreAnswer = {
  status: 200 | 301 | 404;
  contentType: string;
  body: Buffer;
  /** Where a redirect leads to, as the store wrote it; null without one. */
  movedTo: string | null;
};

/** Counted after decompression. A full page of 200 results is 1 to 2 MiB of data, a web page less than 1 MiB. */
const usualMaxKiB = { data: 16 * 1024, html: 4 * 1024 } as const;

const userAgent = 'Shelfwise (self-hosted app-store-optimization service)';

/**
 * Asks a store once. Whatever is not an answer rejects with a StoreFailure of the kind that happened, in `timeoutMs`
 * at the latest. The body is not looked into but for a captcha, and that only where no page is expected.
 */
export async function callStore(call: StoreCall): Promise<StoreAnswer> {
  const limit = limitTime(call.timeoutMs, call.signal);
  try {
    const response = await fetch(call.url, {
      method: call.method ?? 'GET',
      headers: { 'user-agent': userAgent, ...call.headers },
      // A redirect would lead to another page than the one asked for, perhaps on a host that is not configured.
      redirect: 'manual',
      signal: limit.signal,
      ...(call.body !== undefined && { body: call.body }),
      ...(call.dispatcher && { dispatcher: call.dispatcher }),
    });
    return readAnswer(response, await readBody(response, call), call);
  } catch (error) {
    if (error instanceof StoreFailure) throw error;
    // Not every fetch rejects with the reason of an abort itself.
    throw limit.signal.aborted ? limit.signal.reason : nameConnectionFailure(error);
  } finally {
    limit.stop();
  }
}

/** A signal that aborts with the fitting StoreFailure when the time is up or the caller gives up. */
function limitTime(timeoutMs: number, callerSignal: AbortSignal) {
  const controller = new AbortController();
  const onTimeout = () =>
    controller.abort(new StoreFailure('timeout', `gave no complete answer within ${timeoutMs} ms`));
  const onCallerAbort = () =>
    controller.abort(
      new StoreFailure('abandoned', 'had not answered when the call was given up', {
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
  // Before the status: a captcha comes with any of them.
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
  // 408: the store waited in vain for the question.
  const isPermanent = status < 500 && status !== 408;
  throw new StoreFailure('error', `answered with an error (HTTP ${status})`, { isPermanent });
}

/**
 * Why a web page is not the one that was asked for: a captcha, else what is missing. `problem` continues a sentence that
 * begins with the store's name: "sent a page without …".
 */
export function refusePage(answer: StoreAnswer, problem: string): StoreFailure {
  return isCaptcha(answer) ? captchaFailure(answer.status) : new StoreFailure('malformed', problem);
}

type Page = Pick<StoreAnswer, 'contentType' | 'body'>;

/** Only of HTML: an app may well speak of captchas in its description, and people search for them. */
function isCaptcha({ contentType, body }: Page): boolean {
  const isXml = /^\uFEFF?\s*<\?xml/.test(body.subarray(0, 1024).toString('utf8'));
  if (isXml || (!isMarkup(body) && !contentType.includes('text/html'))) return false;
  return /captcha|unusual traffic|not a robot|verify (that )?you are (a )?human/i.test(body.toString('utf8'));
}

/** Google sends whom it takes for a robot to a page called sorry. */
function leadsToCaptcha({ movedTo }: Pick<StoreAnswer, 'movedTo'>): boolean {
  return movedTo !== null && /\/sorry\//.test(movedTo);
}

function captchaFailure(status: number): StoreFailure {
  return new StoreFailure('captcha', `asked for a captcha instead of answering (HTTP ${status})`);
}

/** fetch tells what went wrong by the code of its error's cause. */
function nameConnectionFailure(error: unknown): StoreFailure {
  const code = findCode(error);
  // undici gives up connecting after 10 s, whatever limit was set here
  if (/TIMEOUT|TIMEDOUT/.test(code)) {
    return new StoreFailure('timeout', `did not answer in time (${code})`, { cause: error });
  }
  // zlib and the HTTP parser: bytes came, but not those of an answer
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
