import type { IncomingHttpHeaders } from 'node:http';
import { withoutInvisible } from '@shelfwise/facts/text/invisible-characters';

/**
 * The key of a request, without the white space around it and the invisible characters that come with pasting. X-API-Key
 * wins over a bearer token, and both over the query. An empty value counts as no key, and so does another scheme of
 * Authorization; a key sent twice in the query is invalid.
 * @param readQueryKey reads `api_key` of the query, if no header has a key
 */
export function readSentKey(headers: IncomingHttpHeaders, readQueryKey: () => unknown): string | null {
  const bearer = /^\s*bearer\s+(\S.*)$/i.exec(headers.authorization ?? '')?.[1];
  for (const read of [() => headers['x-api-key'], () => bearer, readQueryKey]) {
    const key = withoutInvisible(String(read() ?? '')).trim();
    if (key !== '') return key;
  }
  return null;
}

/** The same before the query is parsed: a key in it is read as it stands, because a key needs no encoding. */
export function readKeyOfUrl(url: string): string | null {
  return /[?&]api_key=([^&#]*)/.exec(url)?.[1] ?? null;
}
