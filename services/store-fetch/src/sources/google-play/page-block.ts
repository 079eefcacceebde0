import { refusePage, type StoreAnswer } from '../../http/call-store.ts';
import { decodeText } from '../../http/parse-body.ts';
import { StoreFailure } from '../store-failure.ts';

/** The blocks of JSON within Google Play's pages that are read: the results of a search, the details of an app. */
export type BlockKey = 'ds:4' | 'ds:5';

const blockEnd = ', sideChannel: {}});</script>';

/**
 * The JSON that a page carries for its own scripts under a key.
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
 * A page with that one block, as google-play-scraper reads it. The scraper evaluates as code what it takes for a
 * page's AF_dataServiceRequests. The page that is made here holds no code, and every name and bracket by which the
 * scraper could take a text of the store for some is written as an escape of JSON, which leaves the text as it is.
 */
export function writeBlock(key: BlockKey, data: unknown): string {
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('AF_', 'AF\\u005f');
  return `<script>AF_initDataCallback({key: '${key}', hash: '1', data:${json}${blockEnd}`;
}
