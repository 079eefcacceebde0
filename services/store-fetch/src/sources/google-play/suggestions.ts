import { z } from 'zod';
import type { StoreAnswer } from '../../http/call-store.ts';
import { text } from '../field-shapes.ts';
import { StoreFailure } from '../store-failure.ts';
import type { ScraperInput } from './call-scraper.ts';
import { parseMapped } from './parse-mapped.ts';
import { readRpcAnswer, writeRpcAnswer } from './rpc-answer.ts';
import { valueAt } from './value-at.ts';

/** As many as the store's search field shows. */
const maxSuggestions = 5;

/** An answer with suggestions, or with none, as the scraper reads it. */
export function readSuggestions(answer: StoreAnswer): ScraperInput<null> {
  const rows = findRows(readRpcAnswer(answer, 'IJ4APc'));
  return { text: writeRpcAnswer('IJ4APc', [[rows]], { isChunked: false }), extra: null };
}

export function toTerms(mapped: unknown): string[] {
  const terms = parseMapped(z.array(text), mapped);
  return [...new Set(terms)].slice(0, maxSuggestions);
}

/**
 * A prefix that can be asked for. The scraper writes it into JSON as it is: what has a meaning there becomes a blank,
 * which it is to a search, too.
 */
export function toQueryPrefix(prefix: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON does not allow
  return toWellFormed(prefix.replace(/["\\\u0000-\u001f]+/g, ' ')).trim();
}

/** Half a character, which cannot be written into an address, becomes the character for what cannot be shown. */
export function toWellFormed(term: string): string {
  return term.replace(/\p{Surrogate}/gu, '\ufffd');
}

function findRows(payload: unknown): unknown[] {
  const rows = valueAt(payload, [0, 0]);
  if (Array.isArray(rows) && rows.length > 0 && rows.every((row) => row === null || Array.isArray(row)))
    return rows;
  if (payload === null || isEmpty(payload)) return [];
  throw new StoreFailure('malformed', 'sent suggestions without a list of them (IJ4APc)');
}

/** Nothing where the list stands, its token beside it or none, and nowhere a text that may be the list's. */
function isEmpty(payload: unknown): boolean {
  if (!Array.isArray(payload) || !Array.isArray(payload[0])) return false;
  const [[rows = null, token = null, ...others], ...more] = payload;
  const isToken = Array.isArray(token) && token.length === 1 && typeof token[0] === 'string';
  const hasNoRows = rows === null || (Array.isArray(rows) && rows.length === 0);
  return hasNoRows && !hasText([isToken ? null : token, others, more]);
}

function hasText(data: unknown): boolean {
  return JSON.stringify(data).includes('"');
}
