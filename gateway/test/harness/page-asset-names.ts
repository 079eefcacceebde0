import { type ScriptName, scriptNames, sharedScript } from '@shelfwise/dashboard/pages';

/** Names as a build gives them. @param hash 8 characters, of the scripts */
export function pageAssetNames(hash = 'AAAAAAAA') {
  const scripts = Object.fromEntries(scriptNames.map((name) => [name, `${name}-${hash}.js`]));
  return {
    ...(scripts as Record<ScriptName, string>),
    [sharedScript]: `${sharedScript}-${hash}.js`,
    style: 'main-BBBBBBBB.css',
  };
}
