import { isIP } from 'node:net';
import { withTimeLimit } from '../concurrency/deadline.ts';
import { untilAborted } from '../concurrency/until-aborted.ts';
import { type ExchangeOptions, exchange } from './exchange.ts';
import { CallError, explainFailure } from './explain-failure.ts';
import { type ResolveName, resolvePrivateName, resolvePublicName } from './resolve-name.ts';
import { checkAddresses, checkTarget, hostOf, type TargetOptions } from './target.ts';

/** A call to a server that an account, or an unknown client, has named. */
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
  /** Default: DNS; with private addresses, what the machine knows. For tests. */
  resolve?: ResolveName;
  /** Authorities in PEM instead of those of Node.js. For tests. */
  ca?: string | Buffer;
};

/**
 * Posts once and follows no redirect. A call whose status has come does not fail any more: `answer` is then what could be
 * read, cut to `answerBytes`: not all of it unless `isWhole`. It is null where private addresses are allowed, so that no account reads what a server of
 * the operator's network says.
 * @throws TargetError before anything is sent
 * @throws CallError when no status has come in time; the reason of the signal
 */
export async function postOnce(
  call: OutgoingCall & { body: string },
): Promise<{ status: number; durationMs: number; answer: string | null; isWhole: boolean }> {
  const sent = await callOnce(call, call.body);
  return { ...sent, answer: call.options.allowPrivate ? null : sent.answer };
}

/**
 * Gets once and follows no redirect. What the answer is follows from its content, never from its headers.
 * @throws TargetError before anything is sent
 * @throws CallError when the whole answer has not come in time, or has more than `answerBytes`; the reason of the signal
 */
export function getOnce(call: OutgoingCall): Promise<{ status: number; durationMs: number; answer: string }> {
  return callOnce(call, null);
}

async function callOnce(call: OutgoingCall, body: ExchangeOptions['body']) {
  const { headers, timeoutMs, answerBytes, signal, options, ca } = call;
  const startedMs = performance.now();
  const url = checkTarget(call.url, options);
  const error = new CallError(`The receiver did not answer within ${timeoutMs / 1000} s.`);
  return await withTimeLimit({ ms: timeoutMs, error, signal }, async (limited) => {
    try {
      const addresses = await resolveOnce(hostOf(url), call, limited);
      checkAddresses(addresses, options);
      const sent = await exchange(url, addresses, { headers, body, answerBytes, ca }, limited);
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
