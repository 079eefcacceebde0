import { Readable } from 'node:stream';
import { AppError } from '@shelfwise/runtime/errors';
import type { GotOptions, GotRequest } from 'google-play-scraper';
import { callStore, type StoreAnswer, type StoreCall } from '../../http/call-store.ts';
import { withinStack } from '../../http/parse-body.ts';
import type { Attempt } from '../../store-health/endpoints.ts';
import { StoreFailure } from '../../store-health/store-failure.ts';

export type ScraperCall = Attempt &
  Pick<StoreCall, 'expects' | 'mayBeMissing' | 'timeoutMs'> & {
    /** The base address of Google Play; it replaces the address that the scraper calls. */
    baseUrl: string;
  };

/** `text`: what the scraper gets instead of the store's answer. `extra`: what is read from the answer without it. */
export type ScraperInput<Extra> = { text: string; extra: Extra };

export type ScraperQuery<Extra, Answer> = {
  /** Calls a function of the scraper, which must pass these options to its HTTP client. */
  run(requestOptions: GotOptions): Promise<unknown>;
  read(answer: StoreAnswer): ScraperInput<Extra>;
  /** Checks and converts the scraper's result (`mapped`). */
  toAnswer(mapped: unknown, extra: Extra): Answer;
};

/**
 * Lets google-play-scraper make one request through `callStore`, the HTTP client of both stores; the scraper's own
 * client makes no calls. `read` checks the answer and gives the scraper only what it needs. So it runs no code of a
 * page, follows no link and sends no cookie.
 * @throws StoreFailure, or the AppError that `read` throws
 */
export async function callScraper<Extra, Answer>(
  call: ScraperCall,
  { run, read, toAnswer }: ScraperQuery<Extra, Answer>,
): Promise<Answer> {
  const state: { input?: ScraperInput<Extra>; failure?: unknown } = {};

  async function answerRequest(request: GotRequest): Promise<Readable> {
    try {
      const answer = await callStore(toStoreCall(request, call));
      state.input = withinStack(() => read(answer));
      return toGotResponse(state.input.text);
    } catch (error) {
      state.failure = error;
      throw error;
    }
  }

  try {
    const mapped = await run({ retry: { limit: 0 }, hooks: { beforeRequest: [answerRequest] } });
    if (state.input === undefined) throw new Error('it made no request');
    const { extra } = state.input;
    return withinStack(() => toAnswer(mapped, extra));
  } catch (error) {
    // The scraper wraps errors of its HTTP client in its own Error.
    const reason = state.failure ?? error;
    if (reason instanceof StoreFailure || reason instanceof AppError) throw reason;
    const problem = reason instanceof Error ? reason.message : String(reason);
    throw new StoreFailure('malformed', `sent an answer that google-play-scraper cannot read (${problem})`, {
      cause: reason,
    });
  }
}

/** Drops cookies and got's other headers. */
function toStoreCall({ url, method, headers, body }: GotRequest, call: ScraperCall): StoreCall {
  const contentType = headers['content-type'];
  return {
    url: new URL(`${call.baseUrl.replace(/\/+$/, '')}${url.pathname}${url.search}`),
    method: method === 'POST' ? 'POST' : 'GET',
    headers: typeof contentType === 'string' ? { 'content-type': contentType } : {},
    body: typeof body === 'string' ? body : undefined,
    timeoutMs: call.timeoutMs,
    signal: call.signal,
    dispatcher: call.dispatcher,
    expects: call.expects ?? 'data',
    mayBeMissing: call.mayBeMissing ?? false,
  };
}

/** A response as the scraper's HTTP client (got) expects it. */
function toGotResponse(text: string): Readable {
  return Object.assign(Readable.from([Buffer.from(text)]), { statusCode: 200, headers: {} });
}
