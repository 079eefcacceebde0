import { TargetError } from './target.ts';

/** The call was allowed and failed. The message is a sentence for people, without the URL; `cause` goes to the log only. */
export class CallError extends Error {
  override readonly name = 'CallError';
}

const sentences: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^(ENOTFOUND|ENODATA)$/, 'The host has no address.'],
  [
    /^(EAI_.*|ESERVFAIL|ETIMEOUT|EREFUSED|ECANCELLED|EBADRESP|EBADNAME)$/,
    'The name of the host could not be looked up.',
  ],
  [/^ECONNREFUSED$/, 'The receiver refused the connection.'],
  [/^(ECONNRESET|EPIPE)$/, 'The receiver closed the connection.'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'The receiver cannot be reached.'],
  [/^HPE_HEADER_OVERFLOW$/, 'The header of the answer is too large.'],
  [/^HPE_/, 'The answer is not valid HTTP.'],
  [/CERT|SIGNATURE|ERR_TLS/, 'The certificate of the receiver is not valid.'],
  [/^(ERR_SSL|EPROTO)/, 'The receiver does not speak TLS as needed.'],
];

/** @param error of the checks, which is kept, or of Node.js */
export function explainFailure(error: unknown): Error {
  if (error instanceof CallError || error instanceof TargetError) return error;
  const { code } = error as { code?: unknown };
  const name = typeof code === 'string' ? code : 'unknown';
  const sentence = sentences.find(([codes]) => codes.test(name))?.[1] ?? `The call failed (${name}).`;
  return new CallError(sentence, { cause: error });
}
