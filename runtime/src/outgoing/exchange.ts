import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import { untilAborted } from '../concurrency/until-aborted.ts';
import { version } from '../version.ts';
import { CallError } from './explain-failure.ts';
import { hostOf } from './target.ts';

export type ExchangeOptions = {
  headers: Readonly<Record<string, string>>;
  /** null: a GET */
  body: string | null;
  /** the largest answer, in bytes */
  answerBytes: number;
  /** Authorities in PEM instead of those of Node.js. */
  ca?: string | Buffer | undefined;
};

/** Options of a connection that the types of requests leave out. */
type Attempts = Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>;

const maxHeaderBytes = 16_384;

/** How many addresses of a name are tried, one after another. */
const maxAddresses = 4;
const connectMs = 2000;

/**
 * One request and its answer, over a connection of its own to one of these addresses. A POST whose status has come does
 * not fail any more: its answer is what could be read, and `isWhole` says whether that is all. A GET needs its whole answer.
 * @param addresses checked IP addresses, at least one; the host of the URL is only named
 * @throws CallError, the reason of the signal, or an error of Node.js
 */
export async function exchange(
  url: URL,
  addresses: readonly string[],
  { headers, body, answerBytes, ca }: ExchangeOptions,
  signal: AbortSignal,
): Promise<{ status: number; answer: string; isWhole: boolean }> {
  signal.throwIfAborted();
  const host = hostOf(url);
  const connection: RequestOptions & Attempts = {
    method: body === null ? 'GET' : 'POST',
    protocol: url.protocol,
    host,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, 'user-agent': `Shelfwise/${version}` },
    // A connection of its own, which is closed after the call: what a server does to it meets no other call. No proxy
    // of the environment is used either.
    agent: false,
    lookup: lookUpChecked(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: connectMs,
    maxHeaderSize: maxHeaderBytes,
    // The certificate must be that of the name, whatever the environment allows.
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: true,
    ca,
  };
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(connection);
  try {
    const responded = waitForResponse(request);
    request.end(body ?? undefined);
    const response = await untilAborted(responded, signal);
    response.on('error', () => {});
    const chunks: Buffer[] = [];
    const reading = untilAborted(readInto(chunks, response, answerBytes), signal);
    const isWhole = await reading.catch((error: unknown) => {
      if (body === null) throw error;
      return false;
    });
    if (body === null && !isWhole) throw new CallError(`The answer has more than ${answerBytes} bytes.`);
    return { status: response.statusCode as number, answer: decode(chunks, answerBytes), isWhole };
  } finally {
    request.destroy();
  }
}

/** Errors after the first one are ignored, for example when a server answers before it has read the body. */
function waitForResponse(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
    // An answer that switches to another protocol closes the request without an error.
    request.once('close', () => reject(new CallError('The receiver closed the connection.')));
  });
}

/** Node.js looks the host up when it connects: it gets the addresses that were checked. */
function lookUpChecked(addresses: readonly string[]): LookupFunction {
  const entries = addresses.slice(0, maxAddresses).map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, found) => {
    const first = entries[0] as (typeof entries)[number];
    // A look-up never answers at once.
    process.nextTick(() => (all ? found(null, entries) : found(null, first.address, first.family)));
  };
}

/** Whether this was the whole answer: false once `chunks` has more than `maxBytes`. */
async function readInto(chunks: Buffer[], response: IncomingMessage, maxBytes: number): Promise<boolean> {
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) return false;
  }
  return true;
}

/** A character that the cut divides is left out. */
function decode(chunks: readonly Buffer[], maxBytes: number): string {
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes), { stream: true });
}
