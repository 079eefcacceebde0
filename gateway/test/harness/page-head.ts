import { scriptNames, sharedScript } from '@shelfwise/dashboard/pages';
import type { Assets } from '@shelfwise/dashboard/server/assets';

/** What a build gives the pages. @param hash 8 characters, of the scripts */
export function pageHead(hash = 'AAAAAAAA'): Assets['head'] {
  const scripts = [...scriptNames, sharedScript].map((name) => [name, `${name}-${hash}.js`]);
  return {
    scripts: Object.fromEntries(scripts) as Assets['head']['scripts'],
    style: `.built-${hash} { color: red }`,
  };
}
