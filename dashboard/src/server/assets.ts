import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { language } from '#language';
import { type ScriptName, scriptNames, sharedScript } from '../pages.ts';

/** A file of the pages. */
export type Asset = { body: Buffer; type: string };

/** What a build has made of the pages. */
export type Assets = {
  head: {
    /** The names of the scripts, and of what they share. Each holds a hash of the content. */
    scripts: Readonly<Record<ScriptName | typeof sharedScript, string>>;
    /** The style of all pages. It is inside their HTML: the first picture waits for one request less. */
    style: string;
  };
  /** The scripts, by their name. */
  files: ReadonlyMap<string, Asset>;
};

/** A file as a bundle names it, also one of a version that has other scripts, or its style as a file. */
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
  const made = readdirSync(folder).filter((name) => assetName.test(name));
  const scripts = [...scriptNames, sharedScript].map(
    (script) => [script, made.find((name) => name.startsWith(`${script}-`) && name.endsWith('.js'))] as const,
  );
  const style = made.find((name) => name.endsWith('.css'));
  if (style === undefined || scripts.some(([, name]) => name === undefined)) return null;
  return {
    head: {
      scripts: Object.fromEntries(scripts) as Assets['head']['scripts'],
      style: readFileSync(join(folder, style), 'utf8'),
    },
    files: new Map(
      made
        .filter((name) => name !== style)
        .map((name) => [name, assetOf(name, readFileSync(join(folder, name)))]),
    ),
  };
}

/** Next to the compiled code, or, for what runs from its sources, in `dist`. */
function findFolder(): string | undefined {
  return ['..', '../../dist']
    .map((path) => join(import.meta.dirname, path, language.assets))
    .find((folder) => existsSync(folder));
}
