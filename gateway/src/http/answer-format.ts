import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

export type AnswerFormat = 'json' | 'csv';

/** With all their parameters, so that a client may name any of them. */
const mediaTypes = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  html: 'text/html; charset=utf-8',
} as const;

/**
 * CSV for a client that names text/csv and does not like JSON better; of both alike, its first one. A wildcard names
 * neither. Every other client gets JSON, also where it accepts neither.
 */
export function chooseFormat(request: Pick<IncomingMessage, 'headers'>): AnswerFormat {
  const { accept = '' } = request.headers;
  if (!/\btext\/csv\s*([;,]|$)/i.test(accept)) return 'json';
  const chosen = new Negotiator(request).mediaType([mediaTypes.json, mediaTypes.csv]);
  return chosen === mediaTypes.csv ? 'csv' : 'json';
}

/** Whether the client is a browser that shows a page: it names HTML, and does not like JSON better. A wildcard names nothing. */
export function prefersHtml(request: Pick<IncomingMessage, 'headers'>): boolean {
  const chosen = new Negotiator(request).mediaType([mediaTypes.json, mediaTypes.html]);
  return chosen === mediaTypes.html;
}

/** Whether the client accepts JSON, by its name or a wildcard. */
export function admitsJson(request: Pick<IncomingMessage, 'headers'>): boolean {
  return new Negotiator(request).mediaType([mediaTypes.json]) !== undefined;
}
