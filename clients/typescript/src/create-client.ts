import type { ShelfwiseError } from './errors.ts';
import { type Operations, operations, type Pages, type Rows } from './generated/operations.ts';
import type { CallOptions, Operation } from './operation.ts';
import { readPages, readRows } from './read-pages.ts';
import { createSend, type Input } from './send.ts';

export type ClientOptions = {
  /** Where the API is: https://shelfwise.example.com */
  baseUrl: string;
  apiKey: string;
  /** Lets the key go to another machine without encryption, in a network that is trusted. */
  insecure?: boolean;
  /** Of each try of each call, in ms. Without it: the time in which the API answers the call, and ten seconds. */
  timeoutMs?: number;
  /** Tries after the first one, at most. */
  maxRetries?: number;
  /** A call is not made again when its tries and waits together take longer, in ms. */
  maxWaitMs?: number;
  /** The name of your program, for the logs of the API. */
  userAgent?: string;
  /** Called before a call is made again. */
  onRetry?: (error: ShelfwiseError, waitMs: number) => void;
  /** Replaces the global one. */
  fetch?: typeof fetch;
};

/** A method for each endpoint of the API. `rows` and `pages` go through all pages of a list. */
export type Client = Operations & { readonly rows: Rows; readonly pages: Pages };

const thisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const defaultMaxRetries = 5;
/** A window of the rate limit is free again after a minute. */
const defaultMaxWaitMs = 120_000;

/**
 * A client of the API with one key.
 * @throws TypeError for an address or a key that cannot be used
 */
export function createClient(options: ClientOptions): Client {
  const { apiKey, userAgent = 'shelfwise-client-typescript', onRetry = () => {} } = options;
  // Programs without types may give undefined.
  if (!apiKey) throw new TypeError('apiKey is empty.');
  // fetch would say what it cannot send, with the key in it.
  if (!/^[!-~]+$/.test(apiKey))
    throw new TypeError('apiKey has a space, a line break or another character that no key has.');
  if (!/^[ -~]+$/.test(userAgent)) throw new TypeError('userAgent must be printable ASCII.');
  const send = createSend({
    apiKey,
    userAgent,
    onRetry,
    pause,
    nowMs: () => performance.now(),
    baseUrl: readBaseUrl(options.baseUrl, options.insecure === true),
    timeoutMs: options.timeoutMs ?? null,
    maxRetries: options.maxRetries ?? defaultMaxRetries,
    maxWaitMs: options.maxWaitMs ?? defaultMaxWaitMs,
    // The global one, at the time of the call.
    fetch: options.fetch ?? ((...call) => fetch(...call)),
  });
  type Call = (operation: Operation, input: Input, options?: CallOptions) => unknown;
  const bind = (call: Call, isBound: (operation: Operation) => boolean) =>
    Object.fromEntries(
      Object.entries<Operation>(operations)
        .filter(([, operation]) => isBound(operation))
        .map(([id, operation]) => [
          id,
          (input: Input = {}, callOptions?: CallOptions) => call(operation, input, callOptions),
        ]),
    );
  const isPaged = ({ rows }: Operation) => rows !== null;
  // The table and these types are written from the same document.
  return {
    ...bind(send, () => true),
    rows: bind((...call) => readRows(send, ...call), isPaged),
    pages: bind((...call) => readPages(send, ...call), isPaged),
  } as unknown as Client;
}

/** Without a slash at the end. @throws TypeError */
function readBaseUrl(text: string, isInsecureAllowed: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWithMore = ({ search, hash, username, password }: URL) =>
    `${search}${hash}${username}${password}` !== '';
  if (!url || !/^https?:$/.test(url.protocol) || isWithMore(url))
    throw new TypeError(
      'baseUrl must be an address with http or https, such as https://shelfwise.example.com.',
    );
  if (url.protocol === 'http:' && !isInsecureAllowed && !thisMachine.test(url.hostname))
    throw new TypeError(
      `baseUrl would carry the key to ${url.host} without encryption: use https, or insecure: true.`,
    );
  return url.href.replace(/\/+$/, '');
}

/** @throws the reason of the signal */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
  });
}
