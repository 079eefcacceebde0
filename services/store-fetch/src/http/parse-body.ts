import { StoreFailure } from '../store-health/store-failure.ts';

/**
 * Decodes the body of a store's answer as UTF-8. Invalid bytes are an error, because a title with replacement
 * characters would be wrong.
 * @throws StoreFailure `malformed`
 */
export function decodeText(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new StoreFailure('malformed', 'sent text that is not UTF-8', { cause });
  }
}

/**
 * Parses the body of a store's answer as JSON.
 * @throws StoreFailure `malformed`; its message says what the store sent instead
 */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(decodeText(body));
  } catch (cause) {
    throw new StoreFailure('malformed', `sent ${nameNonJson(body)} instead of JSON`, { cause });
  }
}

function nameNonJson(body: Buffer): string {
  if (body.length === 0) return 'an empty body';
  return isMarkup(body) ? 'a web page' : 'something malformed or cut short';
}

/**
 * Runs a parser of a store's answer. If the answer is nested so deeply that the parser overflows the call stack
 * (RangeError), it is malformed.
 * @throws StoreFailure `malformed`, or what `parse` throws
 */
export function withinStack<Answer>(parse: () => Answer): Answer {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StoreFailure('malformed', 'sent an answer that is nested too deeply', { cause: error });
  }
}

/** Whether a body starts like HTML or XML, whatever its content type says. */
export function isMarkup(body: Buffer): boolean {
  return /^\uFEFF?\s*</.test(body.subarray(0, 1024).toString('utf8'));
}
