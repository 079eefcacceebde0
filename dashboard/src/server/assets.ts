import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { language } from '#language';
import { type ScriptName, scriptNames, sharedScript } from '../pages.ts';

/** A file of the pages. */
export type Asset = { body: Buffer; type: string };

/** The files of the pages, by their name, which holds a hash of the content. */
export type Assets = {
  /** The scripts, what they share, and the style sheet of all pages. */
  names: Readonly<Record<ScriptName | typeof sharedScript | 'style', string>>;
  files: ReadonlyMap<string, Asset>;
};

/** A file as a bundle names it, also one of a version that has other scripts. */
export const assetName = /^[a-z]{1,20}-[A-Z0-9]{8}\.(js|css)$/;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

export function assetOf(name: string, body: Buffer): Asset {
  return { body, type: types[extname(name)] ?? 'application/octet-stream' };
}

/** Reads what `npm run build` has made of the pages; null when it has not run. */
export function readAssets(): Assets | null {
  const folder = findFolder();
  if (folder === undefined) return null;
  const files = new Map(
    readdirSync(folder)
      .filter((name) => assetName.test(name))
      .map((name) => [name, assetOf(name, readFileSync(join(folder, name)))]),
  );
  const find = (name: RegExp) => [...files.keys()].find((one) => name.test(one));
  const scripts = [...scriptNames, sharedScript].map(
    (name) => [name, find(new RegExp(`^${name}-.*js$`))] as const,
  );
  const style = find(/^main.*css$/);
  if (!style || scripts.some(([, file]) => file === undefined)) return null;
  return { names: { ...(Object.fromEntries(scripts) as Omit<Assets['names'], 'style'>), style }, files };
}

/** Next to the compiled code, or, for what runs from its sources, in `dist`. */
function findFolder(): string | undefined {
  return ['..', '../../dist']
    .map((path) => join(import.meta.dirname, path, language.assets))
    .find((folder) => existsSync(folder));
}
