import { type ScriptName, scriptNames } from '@shelfwise/dashboard/pages';

/** Names as a build gives them. @param hash 8 characters, of the scripts */
export function pageAssetNames(hash = 'AAAAAAAA') {
  const scripts = Object.fromEntries(scriptNames.map((name) => [name, `${name}-${hash}.js`]));
  return { ...(scripts as Record<ScriptName, string>), style: 'main-BBBBBBBB.css' };
}
