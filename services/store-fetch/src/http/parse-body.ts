import { StoreFailure } from '../sources/store-failure.ts';

/**
 * The text of an answer. Strict, because a title with replacement characters would be wrong. @throws StoreFailure
 * `malformed`
 */
export function decodeText(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new StoreFailure('malformed', 'sent text that is not UTF-8', { cause });
  }
}

/** The JSON of an answer. @throws StoreFailure `malformed` */
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
 * Runs `read` and reports an answer that is nested deeper than the stack allows as malformed.
 * @throws StoreFailure `malformed`, or what `read` throws
 */
export function withinStack<Answer>(read: () => Answer): Answer {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StoreFailure('malformed', 'sent a page that is nested too deeply', { cause: error });
  }
}

/** Whether an answer is HTML or XML, whatever its content type. */
export function isMarkup(body: Buffer): boolean {
  return /^\uFEFF?\s*</.test(body.subarray(0, 1024).toString('utf8'));
}
