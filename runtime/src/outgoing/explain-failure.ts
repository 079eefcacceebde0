import { TargetError } from './target.ts';

/** The call was allowed and failed. The message is a sentence for people; it contains neither the URL nor an address. */
export class CallError extends Error {
  override readonly name = 'CallError';
}

const sentences: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^(ENOTFOUND|ENODATA)$/, 'The host has no address'],
  [
    /^(EAI_.*|ESERVFAIL|ETIMEOUT|EREFUSED|ECANCELLED|EBADRESP|EBADNAME)$/,
    'The name of the host could not be looked up',
  ],
  [/^ECONNREFUSED$/, 'The receiver refused the connection'],
  [/^(ECONNRESET|EPIPE)$/, 'The receiver closed the connection'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'The receiver cannot be reached'],
  [/^HPE_HEADER_OVERFLOW$/, 'The header of the answer is too large'],
  [/^HPE_/, 'The answer is not valid HTTP'],
  [/CERT|SIGNATURE|ERR_TLS/, 'The certificate of the receiver is not valid'],
  [/^(ERR_SSL|EPROTO)/, 'The receiver does not speak TLS as needed'],
];

/**
 * Only the code of a failure is told: the error of Node.js may hold the address, and bytes of the answer.
 * @param error kept if it is of the checks, or a defect, which has no code
 */
export function explainFailure(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (error instanceof CallError || error instanceof TargetError || typeof code !== 'string') return error;
  const sentence = sentences.find(([codes]) => codes.test(code))?.[1] ?? 'The call failed';
  return new CallError(`${sentence} (${code}).`);
}
