import { z } from 'zod';
import type { StoreAnswer } from '../../http/call-store.ts';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { plainText } from '../field-shapes.ts';
import type { ScraperInput } from './call-scraper.ts';
import { parseMapped } from './parse-mapped.ts';
import { readRpcAnswer, writeRpcAnswer } from './rpc-answer.ts';
import { valueAt } from './value-at.ts';

/** The number that the store's search field shows. */
const maxSuggestions = 5;

/** Checks an answer, with or without suggestions, and writes it in the form that the scraper reads. */
export function readSuggestions(answer: StoreAnswer): ScraperInput<null> {
  const rows = findRows(readRpcAnswer(answer, 'IJ4APc'));
  return { text: writeRpcAnswer('IJ4APc', [[rows]], { isChunked: false }), extra: null };
}

export function toTerms(mapped: unknown): string[] {
  const terms = parseMapped(z.array(plainText), mapped);
  return [...new Set(terms)].slice(0, maxSuggestions);
}

/**
 * The prefix as it is sent. The scraper inserts it into JSON unescaped, so characters with a meaning in JSON become
 * spaces, which mean the same to a search. Empty when nothing else is left: then the store cannot be called.
 */
export function toQueryPrefix(prefix: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON does not allow
  return toWellFormed(prefix.replace(/["\\\u0000-\u001f]+/g, ' ')).trim();
}

/** An unpaired surrogate, which cannot be part of an address, becomes the replacement character. */
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

/**
 * Whether a payload says that there are no suggestions. Its list is empty, and no text elsewhere could be suggestions
 * in a new position. Only a token may be next to the list.
 */
function isEmpty(payload: unknown): boolean {
  if (!Array.isArray(payload) || !Array.isArray(payload[0])) return false;
  const [[rows = null, token = null, ...afterToken], ...otherParts] = payload;
  const isToken = Array.isArray(token) && token.length === 1 && typeof token[0] === 'string';
  const hasNoRows = rows === null || (Array.isArray(rows) && rows.length === 0);
  return hasNoRows && !hasText([isToken ? null : token, afterToken, otherParts]);
}

function hasText(data: unknown): boolean {
  return JSON.stringify(data).includes('"');
}
