import { refusePage, type StoreAnswer } from '../../http/call-store.ts';
import { decodeText } from '../../http/parse-body.ts';
import { StoreFailure } from '../../store-health/store-failure.ts';

/** The JSON blocks that are read from Google Play's pages: search results, app details. */
export type BlockKey = 'ds:4' | 'ds:5';

const blockEnd = ', sideChannel: {}});</script>';

/**
 * The JSON block of a page with this key.
 * @throws StoreFailure `captcha` or `malformed`
 */
export function readBlock(answer: StoreAnswer, key: BlockKey): unknown {
  const page = decodeText(answer.body);
  const start = page.indexOf(`AF_initDataCallback({key: '${key}'`);
  if (start < 0) throw refusePage(answer, `sent a page without its block ${key}`);
  const dataStart = page.indexOf('data:', start);
  const end = page.indexOf(blockEnd, start);
  try {
    if (dataStart < 0 || dataStart > end) throw new Error('it has no data or no end');
    return JSON.parse(page.slice(dataStart + 'data:'.length, end));
  } catch (cause) {
    throw new StoreFailure('malformed', `sent a page whose block ${key} is malformed or cut short`, {
      cause,
    });
  }
}

/**
 * A page that contains only this block, in the form that google-play-scraper reads. The scraper evaluates the
 * AF_dataServiceRequests of a page as code, so the page contains no code. Names and brackets in texts that it could
 * mistake for code are JSON escapes: the text stays the same.
 */
export function writeBlock(key: BlockKey, data: unknown): string {
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('AF_', 'AF\\u005f');
  return `<script>AF_initDataCallback({key: '${key}', hash: '1', data:${json}${blockEnd}`;
}
