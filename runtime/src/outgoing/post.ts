import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import { withTimeLimit } from '../concurrency/deadline.ts';
import { untilAborted } from '../concurrency/until-aborted.ts';
import { version } from '../version.ts';
import { CallError, explainFailure } from './explain-failure.ts';
import { type ResolveName, resolvePrivateName, resolvePublicName } from './resolve-name.ts';
import { checkAddresses, checkTarget, hostOf, type TargetOptions } from './target.ts';

/** A call to a server that an account, or a client that nobody knows, has named. */
export type OutgoingCall = {
  url: string;
  /** Never from an account. `host`, `user-agent` and the length are set here. */
  headers: Readonly<Record<string, string>>;
  /** for the whole call, with the look-up of the name and the answer */
  timeoutMs: number;
  /** the largest answer, in bytes */
  answerBytes: number;
  signal?: AbortSignal | undefined;
  options: TargetOptions;
  /** Default: DNS, or with private addresses what the machine knows. For tests. */
  resolve?: ResolveName;
  /** Authorities in PEM instead of those of Node.js. For tests. */
  ca?: string | Buffer;
};

/** Options of a connection that the types of requests leave out. */
type Attempts = Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>;

const maxHeaderBytes = 16_384;

/** How many addresses of a name are tried, one after another. */
const maxAddresses = 4;
const connectMs = 2000;

/**
 * Posts once and follows no redirect. A call whose status has come does not fail any more: `answer` is then what could be
 * read, cut to `answerBytes`. It is null with private addresses, so that no account reads what a server of the operator's
 * network says.
 * @throws TargetError before anything is sent
 * @throws CallError when no status has come in time
 */
export async function postOnce(
  call: OutgoingCall & { body: string },
): Promise<{ status: number; durationMs: number; answer: string | null }> {
  const sent = await callOnce('POST', call, call.body);
  return { ...sent, answer: call.options.allowPrivate ? null : sent.answer };
}

/**
 * Gets once and follows no redirect. What the answer is follows from its content, never from its headers.
 * @throws TargetError before anything is sent
 * @throws CallError when the whole answer has not come in time, or has more than `answerBytes`
 */
export function getOnce(call: OutgoingCall): Promise<{ status: number; durationMs: number; answer: string }> {
  return callOnce('GET', call, null);
}

async function callOnce(method: 'GET' | 'POST', call: OutgoingCall, body: string | null) {
  const { timeoutMs, signal, options } = call;
  const startedMs = performance.now();
  const url = checkTarget(call.url, options);
  const error = new CallError(`The receiver did not answer within ${timeoutMs / 1000} s.`);
  return await withTimeLimit({ ms: timeoutMs, error, signal }, async (limited) => {
    try {
      const addresses = await resolveOnce(hostOf(url), call, limited);
      checkAddresses(addresses, options);
      const sent = await exchange(method, url, addresses, body, call, limited);
      return { ...sent, durationMs: Math.round(performance.now() - startedMs) };
    } catch (failure) {
      limited.throwIfAborted();
      throw explainFailure(failure);
    }
  });
}

function resolveOnce(host: string, call: OutgoingCall, signal: AbortSignal): Promise<readonly string[]> {
  if (isIP(host) !== 0) return Promise.resolve([host]);
  const resolve = call.resolve ?? (call.options.allowPrivate ? resolvePrivateName : resolvePublicName);
  return untilAborted(resolve(host, signal), signal);
}

/** `body` null: a GET, whose answer is needed whole. */
async function exchange(
  method: 'GET' | 'POST',
  url: URL,
  addresses: readonly string[],
  body: string | null,
  { headers, answerBytes, ca }: OutgoingCall,
  signal: AbortSignal,
): Promise<{ status: number; answer: string }> {
  signal.throwIfAborted();
  const host = hostOf(url);
  const connection: RequestOptions & Attempts = {
    method,
    protocol: url.protocol,
    host,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, 'user-agent': `Shelfwise/${version}` },
    // A connection of its own, closed after the call: no other call meets what this server does to it. It reads no
    // proxy from the environment.
    agent: false,
    lookup: lookUpChecked(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: connectMs,
    maxHeaderSize: maxHeaderBytes,
    // The certificate is of the name, whatever the environment allows.
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: true,
    ca,
  };
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(connection);
  // The promises below end with the first failure. A socket may fail again, for example when a server answers before
  // it has read the body.
  request.on('error', () => {});
  try {
    const responded = once(request, 'response');
    request.end(body ?? undefined);
    const [response] = (await untilAborted(responded, signal)) as [IncomingMessage];
    response.on('error', () => {});
    const chunks: Buffer[] = [];
    const reading = untilAborted(readInto(chunks, response, answerBytes), signal);
    const isWhole = await reading.catch((error: unknown) => {
      if (body === null) throw error;
      return false;
    });
    if (body === null && !isWhole) throw new CallError(`The answer has more than ${answerBytes} bytes.`);
    return { status: response.statusCode as number, answer: decode(chunks, answerBytes) };
  } finally {
    request.destroy();
  }
}

/** The one look-up of the name has been made: the connection goes to the addresses that were checked. */
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
