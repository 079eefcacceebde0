import { Readable } from 'node:stream';
import { AppError } from '@shelfwise/runtime/errors';
import type { GotOptions, GotRequest } from 'google-play-scraper';
import type { Attempt } from '../../call-budget/ask-store.ts';
import { callStore, type StoreAnswer, type StoreCall } from '../../http/call-store.ts';
import { withinStack } from '../../http/parse-body.ts';
import { StoreFailure } from '../store-failure.ts';

export type ScraperCall = Attempt &
  Pick<StoreCall, 'expects' | 'mayBeMissing' | 'timeoutMs'> & {
    /** Where Google Play is, whatever address the scraper asks for. */
    baseUrl: string;
  };

/** What the scraper gets to see of an answer, and what is kept of it besides. */
export type HandedOver<Kept> = { text: string; kept: Kept };

export type ScraperQuestion<Kept, Answer> = {
  ask(requestOptions: GotOptions): Promise<unknown>;
  /** Judges what the store answered, before the scraper sees it. */
  read(answer: StoreAnswer): HandedOver<Kept>;
  /** Judges what the scraper made of it. */
  toAnswer(mapped: unknown, kept: Kept): Answer;
};

/**
 * Has google-play-scraper ask one question, over the transport that both stores share: the scraper's own HTTP client
 * never calls anybody. `read` judges the answer before the scraper sees it and hands over only what the scraper needs,
 * so that the scraper runs no code of a page, follows no link and sends no cookie.
 * @throws StoreFailure, or the AppError that `read` throws
 */
export async function callScraper<Kept, Answer>(
  call: ScraperCall,
  { ask, read, toAnswer }: ScraperQuestion<Kept, Answer>,
): Promise<Answer> {
  const seen: { handedOver?: HandedOver<Kept>; failure?: unknown } = {};

  async function answerRequest(request: GotRequest): Promise<Readable> {
    try {
      const answer = await callStore(toStoreCall(request, call));
      seen.handedOver = withinStack(() => read(answer));
      return toGotResponse(seen.handedOver.text);
    } catch (error) {
      seen.failure = error;
      throw error;
    }
  }

  try {
    const mapped = await ask({ retry: { limit: 0 }, hooks: { beforeRequest: [answerRequest] } });
    if (seen.handedOver === undefined) throw new Error('it did not ask the store');
    const { kept } = seen.handedOver;
    return withinStack(() => toAnswer(mapped, kept));
  } catch (error) {
    // The scraper wraps what its HTTP client throws into an Error of its own.
    const reason = seen.failure ?? error;
    if (reason instanceof StoreFailure || reason instanceof AppError) throw reason;
    const problem = reason instanceof Error ? reason.message : String(reason);
    throw new StoreFailure('garbage', `sent an answer that google-play-scraper cannot read (${problem})`, {
      cause: reason,
    });
  }
}

/** Cookies and all other headers of got are left out. */
function toStoreCall({ url, method, headers, body }: GotRequest, call: ScraperCall): StoreCall {
  const contentType = headers['content-type'];
  return {
    url: new URL(`${call.baseUrl.replace(/\/+$/, '')}${url.pathname}${url.search}`),
    method: method === 'POST' ? 'POST' : 'GET',
    headers: typeof contentType === 'string' ? { 'content-type': contentType } : {},
    ...(typeof body === 'string' && { body }),
    timeoutMs: call.timeoutMs,
    signal: call.signal,
    dispatcher: call.dispatcher,
    expects: call.expects ?? 'data',
    mayBeMissing: call.mayBeMissing ?? false,
  };
}

/** As Node's HTTP client would have answered. */
function toGotResponse(text: string): Readable {
  return Object.assign(Readable.from([Buffer.from(text)]), { statusCode: 200, headers: {} });
}
