import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

/** A form in which an answer is sent. `identity` is the plain form. */
export type ContentCoding = 'br' | 'gzip' | 'identity';

/** The best first. */
const codings: readonly ContentCoding[] = ['br', 'gzip', 'identity'];

/** Answers up to this size are sent plain: compression would save less than a packet. In bytes. */
export const maxPlainBytes = 1024;

/** The coding that the client prefers; of equally good ones the smallest. */
export function chooseCoding(request: IncomingMessage): ContentCoding {
  const chosen = new Negotiator(request).encoding(codings, { preferred: codings });
  return codings.find((coding) => coding === chosen) ?? 'identity';
}
